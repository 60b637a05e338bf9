"""Scripts and languages of texts: each language is found, and English in any shape is left alone."""

import gzip

import pytest

from paragauge.text.language import (
    LanguageReport,
    found_instead,
    is_clearly_not,
    letters_in_a_token,
    main_script,
    script_letters,
)

IN_OTHER_LANGUAGES = {
    "German": "Ich habe das Buch gestern nicht gelesen.",
    "French": "Elle n'est pas venue avec nous hier soir.",
    "Spanish": "No sé dónde está la estación de trenes.",
    "Italian": "Non ho ancora letto il libro che mi hai dato.",
    "Portuguese": "Eu não sei onde fica a estação.",
    "Dutch": "Ik heb het boek gisteren niet gelezen.",
    "Czech": "Nevím, kde je nádraží, protože nejsem odtud.",
    "Polish": "Nie wiem, gdzie jest dworzec.",
    "Swedish": "Jag vet inte var stationen är.",
    "Danish": "Jeg ved ikke, hvor banegården er henne i dag, og hun ved det heller ikke; de bliver her efter mødet.",
    "Norwegian": "Jeg vet ikke hvor stasjonen er, og hun vil ikke hjelpe meg etterpå; det blir noe annet nå.",
    "Finnish": "En tiedä, missä rautatieasema on, koska minä en ole täältä.",
    "Romanian": "Nu știu unde este gara și nici nu vreau să întreb.",
    "Hungarian": "Nem tudom, hogy hol van az állomás.",
    "Turkish": "İstasyonun nerede olduğunu bilmiyorum ama bu çok önemli değil.",
    "Cyrillic script": "Я не знаю, где вокзал.",
    "Chinese": "我不知道车站在哪里。",
    "Japanese": "駅がどこにあるか知りません。",
    "Korean": "역이 어디에 있는지 모르겠어요.",
    "Arabic script": "لا أعرف أين المحطة.",
    "Hebrew": "אני לא יודע איפה התחנה.",
    "Greek": "Δεν ξέρω πού είναι ο σταθμός.",
    "Devanagari script": "मुझे नहीं पता कि स्टेशन कहाँ है।",
    "Thai": "ฉันไม่รู้ว่าสถานีอยู่ที่ไหน",
    "another script": "எனக்குத் தெரியாது",
}

ENGLISH = [
    "The station is over there.",
    "WHERE IS THE STATION",
    "omg u guys r gonna luv this lol",
    "@user RT Kobe drops 40 vs San Antonio #NBA http://t.co/xyz 😂😂",
    "station the there over is .",
    "Shares of Siemens AG fell 3 percent in Frankfurt.",
    "Los Angeles beat San Diego de la Cruz",
    "El Niño hits Las Vegas",
    "Osama bin Laden",
    "Ludwig van Beethoven",
    "Robert De Niro and Leonardo DiCaprio",
    "The café's résumé was naïve.",
    "Beyoncé & Zoë Kravitz",
    "E. O. Wilson, J. R. R. Tolkien",
    "The Chinese word 关系 means relationship.",
    "¯\\_(ツ)_/¯ whatever",
    "𝓗𝓮𝓵𝓵𝓸 𝔀𝓸𝓻𝓵𝓭",
    "OK",
    "Tom",
    "Die Hard",
    "",
    "   ",
    "42 % 3.14",
    "😂😂😂",
    "!?",
]


@pytest.mark.parametrize(("language", "text"), IN_OTHER_LANGUAGES.items())
def test_other_languages_are_found(language, text):
    assert found_instead(text) == language
    assert found_instead(text.upper()) == language


@pytest.mark.parametrize("text", ENGLISH)
def test_english_names_and_signs_are_left_alone(text):
    assert found_instead(text) is None


def test_what_is_expected_need_not_be_english():
    assert found_instead("Elle n'est pas venue.", expected="French") is None
    assert found_instead("She did not come with us.", expected="French") == "English"
    assert found_instead("Não sei onde você está.", expected="Spanish") == "Portuguese"
    assert found_instead("Я не знаю.", expected="Russian") is None
    assert found_instead("I do not know.", expected="Russian") == "Latin script"
    assert found_instead("OK", expected="Russian") is None
    assert found_instead("I do not know.", expected="Basque") is None  # no list: only the script can tell
    assert found_instead("我不知道。", expected="Basque") == "Chinese"


def test_scripts_are_counted_by_letters_alone():
    assert script_letters("Tokyo 2024: 東京, とうきょう! ²③ 😂") == {"Latin": 5, "Han": 2, "Kana": 5}
    assert script_letters("ab Где 역") == {"Latin": 2, "Cyrillic": 3, "Hangul": 1}
    assert script_letters("123 ...") == {}


def test_the_script_of_mixed_text_is_that_of_most_of_it():
    assert main_script("我在 Microsoft 工作") == "Han"  # four characters say more than nine letters
    assert main_script("The word 关系 is Chinese") == "Latin"
    assert main_script("東京に行く") == "Kana"
    assert main_script("12") is None


def test_a_report_counts_by_language():
    report = LanguageReport.of(["Je ne sais pas.", "Where is he?", "我不知道。", "Elle est là avec nous."])
    assert report.found == {"French": 2, "Chinese": 1}
    assert (report.other, report.total, report.share, report.main) == (3, 4, 0.75, "French")
    assert report.sentence() == "3 of 4 segments are not in English (French 2, Chinese 1)"
    assert report.sentence(" checked").startswith("3 of 4 segments checked are")
    assert LanguageReport.of(["Где?? вокзал"]).sentence() == "1 of 1 segment is not in English (found Cyrillic script)"


def test_a_report_on_nothing_has_no_share():
    assert LanguageReport.of([]).share == 0.0
    assert LanguageReport.of(["", "OK"]).main is None


def test_a_place_counts_once_whichever_of_its_texts_is_foreign():
    report = LanguageReport.of([("Hello there.", "Je ne sais pas."), ("Где вокзал?", "Je ne sais pas.")])
    assert report.found == {"French": 1, "Cyrillic script": 1}


def test_texts_that_are_unclear_by_themselves_are_clear_together():
    phrases = ["seine Schule", "meine Katze", "unsere Stadt", "keine Zeit"]
    assert [found_instead(text) for text in phrases] == [None] * 4
    assert LanguageReport.of(phrases).found == {"German": 4}
    assert LanguageReport.of(["Los Angeles", "Las Vegas", "El Paso", "La Jolla", "Del Mar"] * 10).found == {}
    assert LanguageReport.of([*phrases, *["The cat is here."] * 20]).found == {}
    assert LanguageReport.of(["Ich weiß es nicht."] * 5 + phrases).found == {"German": 9}


def test_most_of_several_texts_decide():
    assert is_clearly_not("Ich weiß es nicht.")
    assert is_clearly_not(["Ich weiß es nicht.", "Wo ist er?", "Fine, thanks."])
    assert not is_clearly_not(["How are you?", "Fine, and you?", "Wo ist er?"])


def test_letters_in_a_token_tell_words_from_phrases():
    assert letters_in_a_token([["我爱北京天安门", "。"]]) == 7
    assert letters_in_a_token([["我", "爱", "北京", "OK"]]) == pytest.approx(4 / 3)
    assert letters_in_a_token([["no", "such", "letters"]]) == 0


def _lines(path, count):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for _, line in zip(range(count), file, strict=False)]


@pytest.mark.data
@pytest.mark.parametrize("name", ["common-voice", "standard-ebooks", "tatoeba", "wiki-split", "wikitext-2"])
def test_english_text_raises_no_alarm(data_folder, name):
    report = LanguageReport.of(_lines(data_folder / "english_text" / f"{name}.en.gz", 5000))
    assert report.other <= 5  # what there is, is French and Portuguese


@pytest.mark.data
@pytest.mark.parametrize(
    ("code", "language", "least"),
    [("de", "German", 0.97), ("fr", "French", 0.97), ("es", "Spanish", 0.97), ("it", "Italian", 0.96),
     ("pt", "Portuguese", 0.97), ("cs", "Czech", 0.97), ("ru", "Cyrillic script", 0.99), ("zh", "Chinese", 0.99)],
)  # fmt: skip
def test_news_in_other_languages_is_found(data_folder, code, language, least):
    texts = _lines(data_folder / "bitexts" / "pud" / f"en-{code}.{code}.gz", 1000)
    assert LanguageReport.of(texts).found[language] >= least * len(texts)
    long = [text for text in texts if len(text.split()) >= 5 or code == "zh"]
    assert sum(map(is_clearly_not, long)) >= least * len(long)

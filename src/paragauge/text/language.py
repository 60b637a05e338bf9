"""Detect the script and, roughly, the language of texts, for the warnings of metrics that support one language only.

Scripts are recognised by code points. Languages in the Latin script are recognised by their most frequent words, from
lists short enough to read, and by letters that English lacks. This is not a general language identifier: it reports
only clear cases, and takes names, single words and everything undecided to be in the expected language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

ENGLISH = "English"

_SCRIPTS: Mapping[str, str] = {
    # Letterlike symbols and mathematical alphabets are used as decorative Latin letters in tweets.
    "Latin": "A-Za-zªºÀ-ÖØ-öø-ʯᴀ-ᵿḀ-ỿ\u2100-\u214fⱠ-Ɀ꜠-ꟿＡ-Ｚａ-ｚ\U0001d400-\U0001d7ff",
    "Han": "々〇㐀-䶿一-\u9fff\uf900-\ufaff\U00020000-\U0003134f",
    "Kana": "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "Hangul": "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c가-힣\ud7b0-\ud7fb",
    "Cyrillic": "\u0400-\u0481\u048a-\u052f\u1c80-\u1c88\ua640-\ua66e",
    "Arabic": "\u0620-\u064a\u066e-\u06d3\u06fa-\u06fc\u0750-\u077f\u08a0-\u08c9\ufb50-\ufdfb\ufe70-\ufefc",
    "Hebrew": "א-ת\u05f0-\u05f2\ufb1d-\ufb4f",
    "Greek": "\u0370-\u0373\u0376-\u037d\u0386\u0388-\u03ff\u1f00-\u1ffc",
    "Devanagari": "\u0900-\u0963\u0971-\u097f",
    "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "Lao": "\u0e81-\u0ebd\u0ec0-\u0ecd\u0edc-\u0edf",
    "Khmer": "\u1780-\u17d3",
    "Burmese": "\u1000-\u103f\u1050-\u108f",
}
OTHER_SCRIPT = "other"
SPACELESS_SCRIPTS = frozenset({"Han", "Kana", "Thai", "Lao", "Khmer", "Burmese"})

_WORD = re.compile(r"[^\W\d_]+")
_ASCII_WORDS = {code: chr(code).lower() if chr(code).isalpha() else " " for code in range(128)}

# The language of a script, where a script is used by one language.
_LANGUAGE_OF_SCRIPT = {
    "Han": "Chinese", "Kana": "Japanese", "Hangul": "Korean", "Greek": "Greek", "Hebrew": "Hebrew",
    "Thai": "Thai", "Lao": "Lao", "Khmer": "Khmer", "Burmese": "Burmese",
}  # fmt: skip
_SCRIPTS_OF_LANGUAGE = {
    "Chinese": {"Han"}, "Japanese": {"Han", "Kana"}, "Korean": {"Hangul", "Han"}, "Greek": {"Greek"},
    "Hebrew": {"Hebrew"}, "Yiddish": {"Hebrew"}, "Thai": {"Thai"}, "Lao": {"Lao"}, "Khmer": {"Khmer"},
    "Burmese": {"Burmese"}, "Russian": {"Cyrillic"}, "Ukrainian": {"Cyrillic"}, "Bulgarian": {"Cyrillic"},
    "Serbian": {"Cyrillic", "Latin"}, "Arabic": {"Arabic"}, "Persian": {"Arabic"}, "Urdu": {"Arabic"},
    "Hindi": {"Devanagari"}, "Nepali": {"Devanagari"}, "Tamil": {OTHER_SCRIPT}, "Armenian": {OTHER_SCRIPT},
}  # fmt: skip
_DENSITY = {"Han": 3, "Kana": 2, "Hangul": 2}  # approximate number of alphabetic letters per character
_FEWEST_LETTERS = 4  # shorter texts have no script: an emoticon made of letters, an abbreviation
_LATIN = frozenset({"Latin"})
_LEAST_KANA = 0.1  # share of kana among Chinese characters and kana; half in Japanese, none in Chinese except in names

_WORD_LISTS: Mapping[str, str] = {
    "English": """
        the of and to a in is it you that he was for on are as with his they i at be this have from or one had by
        but not what all were we when your can said there an each which she do how their if will up other about out
        many then them these so some her would make like him into has two more no way could my than been call who
        now find down day did get come made may part over new take only know work year me back give most very after
        thing our just name good think say where help much before too any same tell want well also put does why
        again off went old great us should because here must right through don didn doesn isn aren wasn couldn won
        wouldn ve ll re am im u ur lol gonna wanna gotta dont cant yall thx pls omg yeah yes being never always
        every both while against still between under another such own might shall those ever even last first love
        today tonight tomorrow yesterday people man woman men women boy girl child children time school house home
        night life world really see look watch got let going need try ask feel keep little big long best next week
        month years days hours please thanks happy game play song win show live real bad since until without within
        during around himself herself its upon among whose whom nothing something anything everything someone
        anyone everyone nobody later early often already almost enough away together told asked took came gave left
        three four five six seven ten hundred thousand million percent company government city state states
        president country war police street north south east west hey wow bout cuz lil ya ima tho wit da dat dis
        til rt omfg lmao smh tbh
    """,
    "German": """
        der die das und ist nicht ich du er sie es wir ihr ein eine einen einem einer eines den dem des zu mit auf
        für von im in an am als auch aus bei bin bis bist da dann dass daß denn dich dir doch durch habe haben hat
        hast hatte hatten ihm ihn ihnen ihre ihren ihrem ihrer immer ja jetzt kann kannst kein keine keinen können
        konnte man mehr mein meine meinen meinem meiner mich mir muss muß müssen nach nichts noch nur oder ohne
        schon sehr sein seine seinen seinem seiner seit sich sind so soll sollte über um uns unser unsere unter vom
        vor war waren warum was weil weiß wenn wer werden wie wieder will wird wirst wo wurde wurden würde zum zur
        zwei zwischen gegen diese dieser dieses diesem diesen mag macht machen gibt geht gehen ging heute gestern
        morgen viel viele alle alles etwas jeder jede hier dort nie nein bitte aber damit dein deine deinen euch
        euer sagte sagt hätte wäre möchte lassen lass ins beim darf warst worden gut leben jahre also vielen dank
        herr frau welche welcher welches welchem welchen jahr niemand oft selbst dabei mal drei neue neuen erste
        ersten werde jeden dies lange wollen wollte dazu davon ob fand
    """,
    "French": """
        le la les un une des du de et est pas je tu il elle nous vous ils elles ce cette ces cet mon ma mes ton ta
        tes son sa ses notre nos votre vos leur leurs que qui quoi dont où ne se sont suis es sommes êtes était
        étaient étais été être avoir ai as avons avez ont avait avaient avais aura pour dans par sur avec sans sous
        entre vers chez mais ou donc car si comme plus moins très trop bien aussi encore toujours jamais rien tout
        tous toute toutes autre autres même mêmes fait faire faut peut peux pouvez peuvent pouvons veux veut voulez
        dois doit devons devez va vais vas vont allons allez quand pourquoi comment combien quel quelle quels
        quelles au aux en lui eux moi toi ça cela celui celle ceux ici là alors après avant depuis pendant deux
        personne quelque quelques chose beaucoup peu non oui déjà dit dire qu sera serait ait soit maintenant temps
        ans monsieur madame aime besoin pense sais parce afin ainsi lorsque selon jour homme a on me te y président
        aujourd hui gens premier première contre dû plaît enfants fut eu lors vraiment ni ensuite sauf
    """,
    "Spanish": """
        el la los las un una unos unas de del y e o u que qué en a al no sí si es son era eran fue fueron ser está
        están estaba estoy estás estar ha han he hay había hemos haber por para con sin sobre entre hasta desde
        hacia pero porque como cómo cuando cuándo donde dónde quien quién cual cuál más menos muy mucho mucha
        muchos muchas poco también ya aún todavía siempre nunca nada algo alguien todo toda todos todas otro otra
        otros otras este esta estos estas ese esa esos esas eso esto aquel aquella mi mis tu tus su sus nuestro
        nuestra nuestros nuestras yo tú él ella nosotros ellos ellas usted ustedes me te se nos lo le les tiene
        tienen tengo tienes tenía hace hacer hizo puede pueden puedo puedes quiero quiere quieres debe dos tres
        años vez así aquí allí ahora después antes durante ni según mismo cada bien casa día hombre mujer gusta voy
        va vamos creo sé dijo hablar estado sido hoy año gustaría contra señor señora algunos alguna algunas
        cuántos cuántas tras varios primero primera gran nuevo nueva nuevos tanto solo sólo cuenta muerto mejor
    """,
    "Italian": """
        il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla
        dai dalle in nel nello nella nei negli nelle su sul sulla sui sulle con per tra fra e ed o ma che chi cui
        non è sono sei siamo siete era erano ero stato stata stati essere ha ho hai abbiamo avete hanno aveva avevo
        avevano avere fu mi ti ci vi si io tu lui lei noi voi loro mio mia miei mie tuo tua tuoi suo sua suoi sue
        nostro nostra vostro questo questa questi queste quello quella quelli quelle come quando dove perché quanto
        quale quali cosa più meno molto molti molta troppo anche ancora già sempre mai niente nulla tutto tutti
        tutta tutte altro altri altra ogni se poi così qui qua ora oggi ieri domani prima dopo senza sotto sopra
        fino fare fa fatto può posso puoi possono voglio vuole vuoi devo deve devi vado va andare so piace due tre
        anni anno volta bene casa solo stesso dell all nell sull dall po penso qualcosa nessuno me quest sta stanno
        stai sto verso venne vero quattro primo grande nuovo sia fosse presso qualcuno sai detto farlo bisogno
        dispiace favore piacere grazie stavo stava stavano verrà aver farmi proprio quell sarebbe
    """,
    "Portuguese": """
        o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas para com sem sob
        sobre entre até desde e ou mas que quem qual não sim é são era eram foi foram ser está estão estava estavam
        estou estar tem têm tenho tinha tinham ter há havia eu tu ele ela nós eles elas você vocês me te se lhe
        lhes meu minha meus minhas teu tua seu sua seus suas nosso nossa este esta estes estas esse essa esses
        essas isso isto aquele aquela aquilo como quando onde porque porquê quanto mais menos muito muita muitos
        muitas pouco também já ainda sempre nunca nada algo alguém tudo todo toda todos todas outro outra outros
        outras cada então assim aqui ali agora depois antes durante fazer faz fez pode podem posso quero quer dois
        duas três anos vez bem só mesmo ao aos à às num numa dele dela deles vai vou vamos disse gosta gosto acho
        sei deve ninguém hoje ontem dia casa seja sido ficou comigo primeiro poderia homem mulher nome pessoas
        estiver deixe grande novo fica sou gostaria preciso precisa
    """,
    "Dutch": """
        de het een en van ik je jij hij zij ze wij we jullie zijn is was waren ben bent heeft hebben heb had hebt
        niet geen op te in aan met voor door over om uit bij naar tot tegen onder tussen zonder dat die dit deze
        er maar of als dan wat wie waar waarom hoe wanneer welke mijn jouw zijn haar ons onze hun hem mij hen zich
        ook nog al wel niets iets alles altijd nooit meer veel weinig zeer erg zo nu hier daar toen kan kun kunnen
        kon moet moeten mag wil willen zal zullen zou zouden worden wordt werd werden gaan gaat ga doen doet doe
        maken maakt zei goed twee drie jaar omdat want toch eens weer alleen andere ander elke mensen u uw mij
        vandaag morgen gisteren weet denk
    """,
    "Czech": """
        a i v ve na je se si z ze do to že k ke o u za po pro od při nad pod před mezi bez by byl byla bylo byli
        jsem jsi jsme jste jsou být není nejsem nebyl bude budou budu budeš mám máš má máme mají měl měla mít nemám
        nemá ten ta ty tento tato toto tom tomu toho tím této tohoto který která které kteří kterou co kdo kde kdy
        jak proč kolik ale nebo protože když pokud než aby také jen jenom už ještě vždy nikdy nic něco někdo nikdo
        všechno všichni moc velmi více já on ona ono my vy oni mě mne mi tě ti ho mu ji jí nás nám vás vám jim jeho
        její jejich můj moje mého svůj svou své tvůj náš naše váš tak pak tam tady teď dnes včera zítra dva tři let
        roku může mohu můžu můžeš chci chce chceš musí musím ne ano jako až podle jeden jedna další líbí řekl ví
        vím však první svém včetně několik mnoho lidé lidí byly proti tuto tomto některé pouze bych byste abych
        abychom asi tedy právě dobře prosím chtěl chtěla řekla nemůžu nemohu mohl nevím vůbec zde rok nemůže mohla
        jde dobrý no kterého kterým kdyby během době svého dne
    """,
    "Polish": """
        i w we na z ze do to że nie się jest są był była było byli być jestem jesteś będzie będą mam masz ma mamy
        mają miał miała mieć o u za po od przy nad pod przed przez bez dla między ten ta te ty ja on ona ono my wy
        oni one tego tej tym tych temu który która które którzy którego co kto gdzie kiedy jak dlaczego ile ale lub
        albo bo ponieważ jeśli czy także też tylko już jeszcze zawsze nigdy nic coś ktoś nikt wszystko wszyscy
        bardzo więcej mnie mi cię ci go mu ją jej nas nam was wam ich im mój moja moje swój swoje twój nasz tak tu
        tam teraz dziś dzisiaj wczoraj jutro dwa trzy lat roku może mogę możesz mogą chcę chce chcesz musi muszę
        oraz aby żeby jako niż pan pani lubi
    """,
    "Swedish": """
        och att det som en ett är inte jag du han hon vi ni de den på för med av till från om men eller så när var
        vad vem hur varför där här nu då har hade ha kan kunde ska skulle vill ville måste blir blev bli vara varit
        man mig dig honom henne oss er dem sig min mitt mina din ditt dina sin sitt sina hans hennes vår vårt våra
        deras denna detta dessa alla allt inget ingen något någon några mycket många mer mest också bara än ännu
        redan alltid aldrig efter före under över mellan utan mot hos vid genom år två tre idag igår imorgon
        eftersom går gör göra säger sa bra vet tycker finns
    """,
    "Danish": """
        og at det som en et er ikke jeg du han hun vi i de den på for med af til fra om men eller så når var hvad
        hvem hvordan hvorfor hvor der her nu da har havde have kan kunne skal skulle vil ville må bliver blev blive
        være været man mig dig ham hende os jer dem sig min mit mine din dit dine sin sit sine hans hendes vores
        deres denne dette disse alle alt intet ingen noget nogen nogle meget mange mere mest også kun end endnu
        allerede altid aldrig efter før under over mellem uden mod hos ved gennem år to tre idag går gør gøre siger
        sagde godt ved synes findes
    """,
    "Norwegian": """
        og at det som en et er ikke jeg du han hun vi dere de den på for med av til fra om men eller så når var hva
        hvem hvordan hvorfor hvor der her nå da har hadde ha kan kunne skal skulle vil ville må blir ble bli være
        vært man meg deg ham henne oss dem seg min mitt mine din ditt dine sin sitt sine hans hennes vår deres
        denne dette disse alle alt ingenting ingen noe noen mye mange mer mest også bare enn ennå allerede alltid
        aldri etter før under over mellom uten mot hos ved gjennom år to tre går gjør gjøre sier sa bra vet synes
        finnes
    """,
    "Finnish": """
        ja on ei se hän minä sinä me te he oli olen olet ovat olla olisi ollut että kun jos mutta tai myös niin kuin
        mitä mikä kuka missä milloin miten miksi tämä tämän tuo nämä ne sen siitä sitä siinä hänen minun sinun
        meidän teidän heidän minut sinut minulla sinulla hänellä minua sinua häntä minulle sinulle hänelle en et
        emme ette eivät joka jotka jonka vain vielä nyt sitten aina koskaan paljon kaikki kaikkea mitään jotain
        jokin hyvin enemmän ennen jälkeen kanssa ilman vuonna vuotta kaksi kolme voi voin voit voivat pitää haluan
        täytyy tässä siellä täällä koska ole mukaan kuitenkin itse onko eikä vai
    """,
    "Romanian": """
        și şi în la de pe cu din că nu este sunt era erau fost fi au am ai are avea avem un o una unei unui cel cea
        cei cele al a ale lui ei lor pentru prin sau dar dacă când unde cum cine ce care cât mai foarte mult multe
        mulți toate toți tot alt altă alte acest această acestea aceste acesta eu tu el ea noi voi îmi îți îi mă te
        se ne vă meu mea tău sa său săi lui noastre nostru nici nimic ceva cineva întotdeauna niciodată aici acolo
        acum după înainte fără între până despre doi trei ani poate pot vreau vrea trebuie face spus ca să fără
        deja încă doar astfel cât îl așa
    """,
    "Hungarian": """
        a az és nem egy hogy van volt voltak vannak lesz ez ezt azt is de ha vagy mint csak még már meg el ki fel
        le én te ő mi ti ők nekem neked neki engem téged őt minket magát mit mi ki hol mikor miért hogyan mennyi
        melyik itt ott most akkor mindig soha semmi valami valaki minden nagyon több sok kell lehet tud tudom akar
        akarok szeretem szeret volna lenne után előtt között nélkül alatt szerint két három év évben amikor ahol
        amely ami aki pedig tehát ezért sem nincs vagyok kérem jól
    """,
    "Turkish": """
        ve bir bu da de için ile çok ne var yok mı mi mu mü ben sen o biz siz onlar benim senin onun bizim beni seni
        onu bana sana ona değil daha en gibi kadar ama veya ya çünkü eğer olarak olan oldu olduğu olur ise her hiç
        şey şu nasıl neden niçin nerede kim zaman sonra önce şimdi bugün yarın dün iki üç yıl iyi büyük kendi göre
        arasında içinde üzerinde tarafından hem diye ki bile sadece bütün tüm istiyorum
    """,
}

# Words of the lists above that also occur in English text, about once in a million words or more often: English words,
# names and parts of names. They are weaker evidence.
_AMBIGUOUS_WORDS = """
af ai al ale ali ama ami ao aos au aura avant bare bei ben bent bien bile bin bo bra c ca car care ce chi chose ci co
com como comment con cu cum dai dal dan dar das de dei del dell della den der des det di dia die dies dig din dina dine
dire doe door dos dove du due e ea ed el ella em en encore end er era es et eu fa face fare fi finns fu ga go gut
ha hai ham han hans hast hat hay hen ho hoe homme hon hun il ins ise je jen ji jim k kan kell ki kim l la
las lass le les lo los ma madame mai mas meg mere mes met mi mia min mina mine mint mit mitt mon monsieur mu na
nam nas ne nelle ni nic non nos notre nu o od og ole om ono op os pak pan par pas pe pendant per plus po pod pot
pour prima pro s sa se sen ser si sin sine sit ska sob solo son su sue sulla sur sus ta tai tam te ti till tom toma
ton toto tre tres tu ty um un v va vain van var venne vet vi von w wat y yo z ze
"""
_AMBIGUOUS = frozenset(_AMBIGUOUS_WORDS.split())
# Those that occur in names; a text consisting of names only may have several.
_PARTICLES = frozenset(
    ("da", "de", "del", "della", "den", "der", "di", "dos", "du", "el", "la", "las", "le", "les", "los", "van", "von")
)
# Letters of each language that English lacks.
_LETTERS: Mapping[str, str] = {
    "German": "äöüß", "French": "àâçéèêëîïôùûœ", "Spanish": "áéíóúñü", "Italian": "àèéìòù",
    "Portuguese": "áâãàçéêíóôõú", "Dutch": "ëéï", "Czech": "áčďéěíňóřšťúůýž", "Polish": "ąćęłńóśźż",
    "Swedish": "åäö", "Danish": "æøå", "Norwegian": "æøå", "Finnish": "äö", "Romanian": "ăâîșşțţ",
    "Hungarian": "áéíóöőúüű", "Turkish": "çğıöşü",
}  # fmt: skip
_LETTERS_OF = {language: frozenset(letters) for language, letters in _LETTERS.items()}

# Evidence is counted in half words, over the words of a text that are in one list and not in the other.
_CLEAR, _HINT = 2, 1  # a word of the list; an ambiguous word, or one with a letter that English lacks
_MOST_ACCENTED = 3
_ENOUGH = 4  # two clear words, or the equivalent
_ENOUGH_ALONE = 2  # if there is no evidence for the expected language
_ENOUGH_HINTS = 3  # the same without a clear word
_FEWEST_WORDS = 3
_LEAST_CLEAR = 0.1  # clear words per text, to decide on several texts together: lists of names have none
_MOST_NAMED = 3  # languages named in one message
_LONGEST_LOOK = 1000  # characters; the beginning of a longer text is enough


# Expressions and sets of words take milliseconds to make, and most programs need none of them: made on first use.
@lru_cache(maxsize=1)
def _not_latin() -> re.Pattern[str]:
    return re.compile(f"[^\\W\\d_{_SCRIPTS['Latin']}]")


@lru_cache(maxsize=1)
def _script_run() -> re.Pattern[str]:
    scripts = "|".join(f"(?P<{name}>[{ranges}]+)" for name, ranges in _SCRIPTS.items())
    return re.compile(f"{scripts}|(?P<{OTHER_SCRIPT}>[^\\W\\d_])")


@lru_cache(maxsize=1)
def _accented_letter() -> re.Pattern[str]:
    return re.compile("[" + "".join(sorted(set(chain.from_iterable(_LETTERS.values())))) + "]")


@lru_cache(maxsize=1)
def _word_sets() -> Mapping[str, frozenset[str]]:
    return {language: frozenset(words.split()) for language, words in _WORD_LISTS.items()}


def script_letters(text: str) -> Counter[str]:
    """Return the number of letters of each script in *text*.

    >>> script_letters("Tokyo is 東京, とうきょう.")
    Counter({'Latin': 7, 'Kana': 5, 'Han': 2})
    """
    found: Counter[str] = Counter()
    for run in _script_run().finditer(text):
        script, length = run.lastgroup or OTHER_SCRIPT, run.end() - run.start()
        # Characters that are not letters but count as part of a word: superscripts, circled numbers.
        if script != OTHER_SCRIPT or run.group().isalpha():
            found[script] += length
    return found


def main_script(text: str) -> str | None:
    """Return the script of most of *text*, ``None`` for a text with hardly any letters.

    Chinese characters, kana and Hangul count more than letters, since each carries more text. Chinese characters
    together with kana are Japanese and are reported as Kana.

    >>> main_script("我在 Microsoft 工作"), main_script("!?"), main_script("東京に行く")
    ('Han', None, 'Kana')
    """
    if text.isascii() or _not_latin().search(text) is None:
        return "Latin" if _has_letters(text) else None
    letters = script_letters(text)
    weights = {script: count * _DENSITY.get(script, 1) for script, count in letters.items()}
    han, kana = letters["Han"], letters["Kana"]
    if kana and kana >= _LEAST_KANA * (han + kana):
        weights["Kana"] += weights.pop("Han", 0)
    total = sum(weights.values())
    if total < _FEWEST_LETTERS:
        return None
    script = max(weights, key=weights.__getitem__)
    return script if 2 * weights[script] > total else None


@lru_cache(maxsize=1)
def _some_letters() -> re.Pattern[str]:
    return re.compile(r"(?:[^\W\d_][\W\d_]*){" + str(_FEWEST_LETTERS) + "}")


def _has_letters(text: str) -> bool:
    return _some_letters().search(text) is not None


@dataclass(frozen=True, slots=True)
class _Rivals:
    """The words that distinguish one language from all others.

    Attributes:
        own: All words of the language.
        others: Words that only other languages have, with those languages.
        others_words: The keys of *others* as a set, which intersects faster.
        shared: For each other language, the words it has in common with this one.
        unshared: The words that no other language has.
    """

    own: frozenset[str]
    others: Mapping[str, tuple[str, ...]]
    others_words: frozenset[str]
    shared: Mapping[str, frozenset[str]]
    unshared: frozenset[str]

    @classmethod
    @lru_cache(maxsize=32)
    def of(cls, language: str) -> _Rivals:
        own = _word_sets()[language]
        others: dict[str, tuple[str, ...]] = {}
        for other, words in _word_sets().items():
            if other != language:
                for word in words - own:
                    others[word] = (*others.get(word, ()), other)
        shared = {other: own & words for other, words in _word_sets().items() if other != language}
        unshared = own.difference(*shared.values())
        return cls(own, others, frozenset(others), shared, unshared)

    def evidence(self, text: str) -> _Evidence | None:
        """Return the evidence for other languages in *text*, ``None`` if there is none."""
        words = set(_words(text))
        foreign = words & self.others_words
        accented = [] if text.isascii() else _accented(words - foreign - self.own)
        most = _CLEAR * len(foreign) + _HINT * min(len(accented), _MOST_ACCENTED)
        # Fast path: ordinary text of the language itself ends here.
        if not most or 2 * most < 3 * _CLEAR * len(words & self.unshared):
            return None
        scores: Counter[str] = Counter()
        clear: Counter[str] = Counter()
        particles_only = set(self.shared)
        for word in foreign:
            weight = _HINT if word in _AMBIGUOUS or len(word) == 1 else _CLEAR
            for language in self.others[word]:
                scores[language] += weight
                clear[language] += weight == _CLEAR
            if word not in _PARTICLES:
                particles_only.difference_update(self.others[word])
        for word in accented[:_MOST_ACCENTED]:
            for language in _spelled_so(word):
                if language in self.shared:
                    scores[language] += _HINT
        home = words & self.own
        against = {language: _CLEAR * len(home - self.shared[language]) for language in scores}
        return _Evidence(scores, clear, against, particles_only, len(words)) if scores else None


def _words(text: str) -> list[str]:
    # ASCII is translated in one fast pass.
    return text.translate(_ASCII_WORDS).split() if text.isascii() else _WORD.findall(text.lower())


@lru_cache(maxsize=1 << 14)
def _spelled_so(word: str) -> tuple[str, ...]:
    """Return the languages that have all letters of *word* that English lacks."""
    letters = frozenset(_accented_letter().findall(word))
    return tuple(language for language, own in _LETTERS_OF.items() if letters <= own)


def _accented(words: set[str]) -> list[str]:
    return sorted(word for word in words if not word.isascii() and _accented_letter().search(word))


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Evidence for and against each of several languages.

    Attributes:
        scores: Evidence for each language.
        clear: Number of clear words in that evidence.
        against: Evidence for the expected language.
        particles_only: Languages whose only words here are particles of names.
        words: Number of distinct words in the text.
    """

    scores: Mapping[str, int]
    clear: Mapping[str, int]
    against: Mapping[str, int]
    particles_only: Set[str]
    words: int

    def verdict(self) -> str | None:
        """Return the language of the text if it is clear."""
        language = max(self.scores, key=lambda name: (self.scores[name] - self.against[name], self.clear[name]))
        score, against = self.scores[language], self.against[language]
        if self.clear[language] and score >= _ENOUGH and 2 * score >= 3 * against:
            return language
        if against or language in self.particles_only or self.words < _FEWEST_WORDS:
            return None
        return language if score >= (_ENOUGH_ALONE if self.clear[language] else _ENOUGH_HINTS) else None


def found_instead(text: str, expected: str = ENGLISH) -> str | None:
    """Return the language or script of *text* if it is clearly not *expected*, else ``None``.

    >>> found_instead("Wo ist der Bahnhof?"), found_instead("Где вокзал?"), found_instead("Los Angeles!")
    ('German', 'Cyrillic script', None)
    """
    look = _look(text, expected)
    return look.verdict() if isinstance(look, _Evidence) else look


def _look(text: str, expected: str) -> str | _Evidence | None:
    """Return the script of *text* if it is the wrong one, else the evidence for languages other than *expected*."""
    text = text[:_LONGEST_LOOK]
    scripts = _SCRIPTS_OF_LANGUAGE.get(expected, _LATIN)
    latin = text.isascii() or _not_latin().search(text) is None
    if not latin or scripts is not _LATIN:
        script = main_script(text)
        if script is not None and script not in scripts:
            return described_script(script)
        latin = script == "Latin"
    return _Rivals.of(expected).evidence(text) if latin and expected in _WORD_LISTS else None


def described_script(script: str) -> str:
    """Return the name of a text in *script*: its language, if the script is used by one language."""
    if script == OTHER_SCRIPT:
        return "another script"
    return _LANGUAGE_OF_SCRIPT.get(script, f"{script} script")


@dataclass(frozen=True, slots=True)
class LanguageReport:
    """The languages and scripts of texts that are not in the expected language.

    Attributes:
        expected: The expected language.
        total: Number of texts.
        found: Number of texts that are clearly in another language or script, the most frequent first.
        places: Positions of these texts, from 0.
    """

    expected: str
    total: int
    found: Mapping[str, int]
    places: tuple[int, ...] = ()

    @classmethod
    def of(cls, texts: Iterable[str | Sequence[str]], expected: str = ENGLISH) -> LanguageReport:
        """Return the report on *texts*; if a segment has several texts, the first in another language counts.

        Texts that are not clear on their own are decided together, if together they are clear.
        """
        found: Counter[str] = Counter()
        unclear: dict[int, _Evidence] = {}
        places: list[int] = []
        total = 0
        for position, place in enumerate(texts):
            total += 1
            looks = [_look(text, expected) for text in ((place,) if isinstance(place, str) else place)]
            verdicts = (look.verdict() if isinstance(look, _Evidence) else look for look in looks)
            verdict = next(filter(None, verdicts), None)
            if verdict is not None:
                found[verdict] += 1
                places.append(position)
            elif any(looks):
                unclear[position] = next(look for look in looks if isinstance(look, _Evidence))
        # Among enough sentences in the expected language, unclear ones most likely are in it as well.
        if 2 * (len(unclear) + found.total()) > total:
            main = max(found, key=found.__getitem__, default=None)
            language = main if main is not None and 2 * found[main] > total else _together([*unclear.values()])
            if language is not None:
                more = [position for position, each in unclear.items() if language in each.scores]
                found[language] += len(more)
                places += more
        return cls(expected, total, dict(found.most_common()), tuple(sorted(places)))

    @property
    def other(self) -> int:
        """The number of texts that are clearly not in the expected language."""
        return sum(self.found.values())

    @property
    def share(self) -> float:
        """The share of texts that are clearly not in the expected language."""
        return self.other / self.total if self.total else 0.0

    @property
    def main(self) -> str | None:
        """The language or script found most often instead."""
        return next(iter(self.found), None)

    def sentence(self, looked_at: str = "", where: str = "") -> str:
        """Return the findings as text: ``95 of 100 segments are not in English (French 90, Cyrillic script 5)``.

        Args:
            looked_at: Text after the number of segments if they are a sample, such as ``" checked"``.
            where: Names of segments, which follow the languages.
        """
        kinds = list(self.found.items())
        named = [f"{name} {count:,}" for name, count in kinds[:_MOST_NAMED]]
        rest = sum(count for _, count in kinds[_MOST_NAMED:])
        named += [f"others {rest:,}"] if rest else []
        inside = f"found {self.main}" if len(kinds) == 1 else ", ".join(named)
        inside += f"; {where}" if where else ""
        noun, verb = ("segment", "is") if self.total == 1 else ("segments", "are")
        return f"{self.other:,} of {self.total:,} {noun}{looked_at} {verb} not in {self.expected} ({inside})"


def _together(unclear: Sequence[_Evidence]) -> str | None:
    """Return the language of texts that are unclear on their own, if they are clear together."""
    scores: Counter[str] = Counter()
    clear: Counter[str] = Counter()
    against: Counter[str] = Counter()
    for each in unclear:
        scores.update(each.scores)
        clear.update(each.clear)
        against.update(each.against)
    if not scores:
        return None
    language = max(scores, key=lambda name: (scores[name] - against[name], clear[name]))
    enough = scores[language] >= _ENOUGH and 2 * scores[language] >= 3 * against[language]
    return language if enough and clear[language] >= max(2, _LEAST_CLEAR * len(unclear)) else None


def is_clearly_not(texts: str | Sequence[str], expected: str = ENGLISH) -> bool:
    """Return whether a text, or most of several texts, is clearly not in the language *expected*.

    >>> is_clearly_not("Je ne sais pas."), is_clearly_not("OK"), is_clearly_not(["How are you?", "Ich auch."])
    (True, False, False)
    """
    if isinstance(texts, str):
        return found_instead(texts, expected) is not None
    return LanguageReport.of(texts, expected).share > 0.5


def letters_in_a_token(texts: Iterable[Sequence[str]], scripts: frozenset[str] = SPACELESS_SCRIPTS) -> float:
    """Return the average number of letters of *scripts* per token, over the tokens that have any.

    >>> letters_in_a_token([["我爱北京天安门", "。"]]), letters_in_a_token([["我", "爱", "北京"]])
    (7.0, 1.3333333333333333)
    """
    letters = tokens = 0
    for token in chain.from_iterable(texts):
        count = 0 if token.isascii() else sum(script_letters(token)[script] for script in scripts)
        letters += count
        tokens += count > 0
    return letters / tokens if tokens else 0.0

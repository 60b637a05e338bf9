// The Python face of English analysis.
#include "bind/analysis.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/role_network.hpp"
#include "analysis/roles.hpp"
#include "analysis/training.hpp"
#include "base/parallel.hpp"
#include "bind/structs.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace an = paragauge::analysis;

namespace {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T, class Item>
nb::object to_numpy(std::vector<Item>&& items) {
  auto kept = std::make_unique<std::vector<Item>>(std::move(items));
  if (kept->empty()) kept->reserve(1);  // an array needs an address
  auto* data = reinterpret_cast<T*>(kept->data());
  const std::size_t count = kept->size(), width = sizeof(Item) / sizeof(T);
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<Item>*>(p); });
  if (width == 1) return nb::cast(nb::ndarray<nb::numpy, T>(data, {count}, owner));
  return nb::cast(nb::ndarray<nb::numpy, T>(data, {count, width}, owner));
}

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

// Tokenised sentences, copied, so that the work needs no Python.
struct Texts {
  std::string bytes;
  std::vector<std::size_t> ends;       // of words, in bytes
  std::vector<std::size_t> sentences;  // ends, in words

  explicit Texts(nb::handle from) {
    for (nb::handle sentence : from) {
      for (nb::handle word : sentence) add(word);
      sentences.push_back(ends.size());
    }
  }
  std::size_t size() const { return sentences.size(); }
  std::size_t words() const { return ends.size(); }
  std::size_t begin(std::size_t sentence) const { return sentence == 0 ? 0 : sentences[sentence - 1]; }
  std::vector<std::string_view> operator[](std::size_t sentence) const {
    std::vector<std::string_view> found;
    for (std::size_t i = begin(sentence); i < sentences[sentence]; ++i) {
      const std::size_t first = i == 0 ? 0 : ends[i - 1];
      found.emplace_back(bytes.data() + first, ends[i] - first);
    }
    return found;
  }

 private:
  void add(nb::handle word) {
    if (!PyUnicode_Check(word.ptr())) throw nb::type_error("expected sentences of str");
    Py_ssize_t size = 0;
    if (const char* data = PyUnicode_AsUTF8AndSize(word.ptr(), &size)) {
      bytes.append(data, static_cast<std::size_t>(size));
    } else {  // half a surrogate pair is a word, too
      PyErr_Clear();
      nb::object encoded = nb::steal(PyUnicode_AsEncodedString(word.ptr(), "utf-8", "surrogatepass"));
      if (!encoded.is_valid()) throw nb::python_error();
      bytes.append(PyBytes_AsString(encoded.ptr()), static_cast<std::size_t>(PyBytes_Size(encoded.ptr())));
    }
    ends.push_back(bytes.size());
  }
};

std::string_view view(const Input<std::uint8_t>& data) {
  return {reinterpret_cast<const char*>(data.data()), data.shape(0)};
}

void need(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

an::Tags tags_of(const Input<std::uint8_t>& tags, const Texts& texts, std::size_t sentence) {
  return {tags.data() + texts.begin(sentence), tags.data() + texts.sentences[sentence]};
}

void check_tags(const Input<std::uint8_t>& tags, const Texts& texts, int count) {
  need(tags.shape(0) == texts.words(), "tags: needs one for each word");
  for (std::size_t i = 0; i < tags.shape(0); ++i) need(tags.data()[i] < count, "tags: out of range");
}

void check_kinds(const Input<std::uint8_t>& kinds) { need(kinds.shape(0) == 256, "tag_kinds: needs 256 entries"); }

an::Dependencies dependencies_of(const Input<std::int32_t>& heads, const Input<std::uint8_t>& relations,
                                 const Texts& texts, std::size_t sentence) {
  const std::size_t begin = texts.begin(sentence), end = texts.sentences[sentence];
  an::Dependencies found{{heads.data() + begin, heads.data() + end}, {relations.data() + begin, relations.data() + end}};
  const auto count = static_cast<std::int32_t>(end - begin);
  int roots = 0;
  for (std::int32_t word = 0; word < count; ++word) {
    int above = word;  // every word leads up to a root
    for (std::int32_t steps = 0; above >= 0; ++steps) {
      need(steps <= count && above < count, "heads: not a tree");
      above = found.heads[static_cast<std::size_t>(above)];
    }
    roots += found.heads[static_cast<std::size_t>(word)] < 0;
  }
  need(count == 0 || roots == 1, "heads: expected one root");
  return found;
}

void check_schedule(const an::Schedule& schedule) {
  for (const int value : {schedule.epochs, schedule.runs, schedule.width})
    need(value >= 1 && value <= 1000, "epochs, runs and width must lie between 1 and 1000");
}

nb::list normal_forms(nb::handle words) {
  nb::list forms;
  for (nb::handle word : words) forms.append(to_bytes(an::lowered(an::normalized(nb::cast<std::string>(word)))));
  return forms;
}

nb::bytes pack_words(nb::list forms, Input<std::uint16_t> tags, Input<std::uint16_t> kinds,
                     Input<std::uint64_t> sets) {
  need(tags.shape(0) == forms.size() && kinds.shape(0) == forms.size(), "words: lengths differ");
  std::vector<std::pair<an::Feature, an::WordFacts>> words;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const nb::bytes form = nb::cast<nb::bytes>(forms[i]);
    need(tags.data()[i] < std::max<std::size_t>(1, sets.shape(0)), "words: no such set of tags");
    words.emplace_back(an::hash_text({form.c_str(), form.size()}), an::WordFacts{tags.data()[i], kinds.data()[i]});
  }
  return to_bytes(an::WordTable::pack(words, {sets.data(), sets.data() + sets.shape(0)}));
}

// The variants of training sentences: lists of sentences that are parallel to the first.
std::vector<Texts> variants_of(nb::list variants) {
  std::vector<Texts> all;
  for (nb::handle variant : variants) all.emplace_back(variant);
  need(!all.empty(), "variants: needs at least one");
  for (const Texts& texts : all) need(texts.sentences == all[0].sentences, "variants: differ in length");
  return all;
}

nb::bytes train_tagger(nb::list variants, Input<std::uint8_t> tags, int tag_count, Input<std::uint8_t> words,
                       std::size_t bytes, const an::Schedule& schedule) {
  const auto all = variants_of(variants);
  need(tag_count >= 1 && tag_count < an::most_tags, "too many tags");
  check_tags(tags, all[0], tag_count);
  const an::WordTable table(view(words));
  std::string packed;
  {
    nb::gil_scoped_release release;
    std::vector<an::Example> examples(all[0].size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      for (const Texts& texts : all) examples[i].variants.push_back({an::Sentence(texts[i], table), {}, {}});
      examples[i].gold_tags = tags_of(tags, all[0], i);
    }
    packed = an::train_tagger(examples, table, tag_count, bytes, schedule);
  }
  return to_bytes(packed);
}

nb::tuple train_dependencies(nb::list variants, nb::list predicted_tags, Input<std::int32_t> heads,
                             Input<std::uint8_t> relations, int relation_count,
                             Input<std::uint8_t> tag_kinds, std::size_t bytes, const an::Schedule& schedule) {
  const auto all = variants_of(variants);
  need(relation_count >= 1 && relation_count <= 64, "relations: at most 64");
  need(heads.shape(0) == all[0].words() && relations.shape(0) == all[0].words(), "heads: needs one for each word");
  for (std::size_t i = 0; i < relations.shape(0); ++i)
    need(relations.data()[i] < relation_count || heads.data()[i] < 0, "relations: out of range");
  need(predicted_tags.size() == all.size(), "predicted_tags: needs one array for each variant");
  check_kinds(tag_kinds);
  const an::WordTable table;  // the parsers see words and tags alone
  std::vector<an::Example> examples(all[0].size());
  for (std::size_t v = 0; v < all.size(); ++v) {
    const auto tags = nb::cast<Input<std::uint8_t>>(predicted_tags[v]);
    check_tags(tags, all[0], an::most_tags);
    for (std::size_t i = 0; i < examples.size(); ++i)
      examples[i].variants.push_back({an::Sentence(all[v][i], table), tags_of(tags, all[0], i), {}});
  }
  std::pair<std::string, std::string> packed;
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      examples[i].gold_dependencies = dependencies_of(heads, relations, all[0], i);
      an::make_projective(examples[i].gold_dependencies);
    }
    packed = an::train_dependencies(examples, tag_kinds.data(), relation_count, bytes, schedule);
  }
  return nb::make_tuple(to_bytes(packed.first), to_bytes(packed.second));
}

nb::tuple train_constituents(nb::list variants, nb::list predicted_tags, nb::list predicted_heads,
                             nb::list predicted_relations, Rows spans, int label_count,
                             std::size_t bytes, const an::Schedule& schedule) {
  const auto all = variants_of(variants);
  need(label_count >= 1 && label_count <= an::most_classes, "labels: at most 256");
  need(predicted_tags.size() == all.size() && predicted_heads.size() == all.size() &&
           predicted_relations.size() == all.size(),
       "predictions: need one array for each variant");
  need(spans.shape(1) == 4, "spans: needs four columns");
  const an::WordTable table;
  std::vector<an::Example> examples(all[0].size());
  for (std::size_t v = 0; v < all.size(); ++v) {
    const auto tags = nb::cast<Input<std::uint8_t>>(predicted_tags[v]);
    const auto heads = nb::cast<Input<std::int32_t>>(predicted_heads[v]);
    const auto relations = nb::cast<Input<std::uint8_t>>(predicted_relations[v]);
    check_tags(tags, all[0], an::most_tags);
    need(heads.shape(0) == all[0].words() && relations.shape(0) == all[0].words(), "heads: needs one for each word");
    for (std::size_t i = 0; i < examples.size(); ++i)
      examples[i].variants.push_back({an::Sentence(all[v][i], table), tags_of(tags, all[0], i),
                                      dependencies_of(heads, relations, all[0], i)});
  }
  for (std::size_t i = 0; i < spans.shape(0); ++i) {
    const std::int32_t* row = spans.data() + 4 * i;
    need(row[0] >= 0 && static_cast<std::size_t>(row[0]) < examples.size() && row[3] >= 1 && row[3] < label_count,
         "spans: a sentence or label out of range");
    examples[static_cast<std::size_t>(row[0])].gold_spans.push_back({row[1], row[2], row[3]});
  }
  std::pair<std::string, std::string> packed;
  {
    nb::gil_scoped_release release;
    packed = an::train_constituents(examples, label_count, bytes, schedule);
  }
  return nb::make_tuple(to_bytes(packed.first), to_bytes(packed.second));
}

// The models over memory that Python keeps.
class Analyser {
 public:
  using Widths = std::array<int, 3>;  // of the beams: tags, dependencies, constituents

  Analyser(Input<std::uint8_t> words, Input<std::uint8_t> tag_kinds, Input<std::uint8_t> tagger,
           std::optional<Input<std::uint8_t>> arcs, std::optional<Input<std::uint8_t>> relations,
           std::optional<Input<std::uint8_t>> structure, std::optional<Input<std::uint8_t>> labels)
      : kept_{nb::cast(words), nb::cast(tagger)},
        tag_kinds_(tag_kinds.data(), tag_kinds.data() + tag_kinds.shape(0)),
        table_(view(words)),
        tagger_(view(tagger)) {
    idle_.reserve(most_idle);
    check_kinds(tag_kinds);
    need(tagger_.classes() < an::most_tags, "too many tags");
    if (arcs && relations) {
      kept_.push_back(nb::cast(*arcs));
      kept_.push_back(nb::cast(*relations));
      arcs_ = an::PackedWeights(view(*arcs));
      relations_ = an::PackedWeights(view(*relations));
      need(arcs_.classes() == 3 && relations_.classes() <= 64, "arcs: expected three classes, and at most 64 relations");
    }
    if (structure && labels) {
      kept_.push_back(nb::cast(*structure));
      kept_.push_back(nb::cast(*labels));
      structure_ = an::PackedWeights(view(*structure));
      labels_ = an::PackedWeights(view(*labels));
      need(structure_.classes() == 2, "structure: expected two classes");
    }
  }

  // Of the tagger, the dependency parser and the constituents' labels; 0 for a model that is not there.
  std::array<int, 3> classes() const { return {tagger_.classes(), relations_.classes(), labels_.classes()}; }

  nb::tuple analyse(nb::handle sentences, bool dependencies, bool trees, int threads, const Widths& widths,
                    const std::optional<Input<std::uint8_t>>& given_tags,
                    const std::optional<Input<std::int32_t>>& given_heads,
                    const std::optional<Input<std::uint8_t>>& given_relations) const {
    const Texts texts(sentences);
    if (given_tags) check_tags(*given_tags, texts, tagger_.classes());
    const bool given = given_heads && given_relations;
    if (given) {
      need(given_heads->shape(0) == texts.words() && given_relations->shape(0) == texts.words(),
           "heads: needs one for each word");
      for (std::size_t i = 0; i < texts.size(); ++i)
        need(texts.sentences[i] - texts.begin(i) <= longest_piece, "heads: a sentence is too long to be given them");
    }
    need(threads >= 1 && threads <= 1024, "threads must lie between 1 and 1024");
    need(!(dependencies || trees) || given || arcs_.classes() > 0, "no dependency model");
    need(!trees || structure_.classes() > 0, "no constituent model");
    const std::size_t words = texts.words();
    std::vector<std::uint8_t> tags(words), relations(dependencies || trees ? words : 0);
    std::vector<std::int32_t> heads(dependencies || trees ? words : 0);
    std::vector<std::vector<an::LabelledSpan>> spans(trees ? texts.size() : 0);
    {
      nb::gil_scoped_release release;
      paragauge::parallel_blocks(static_cast<std::int64_t>(texts.size()), 16, threads,
                                 [&](std::int64_t begin, std::int64_t end, int) {
        const Borrowed worker(*this, widths);
        auto& [worker_widths, tagger, parser, spanner] = *worker;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
          const auto whole = texts[i];
          const std::size_t offset = texts.begin(i);
          int root = -1;
          // Nobody writes sentences this long: they are taken in pieces, whose roots hang on the first.
          for (std::size_t piece = 0; piece < whole.size(); piece += longest_piece) {
            const std::size_t size = std::min(longest_piece, whole.size() - piece), place = offset + piece;
            const an::Sentence sentence({whole.begin() + static_cast<std::ptrdiff_t>(piece),
                                         whole.begin() + static_cast<std::ptrdiff_t>(piece + size)}, table_);
            const an::Tags found =
                given_tags ? an::Tags(given_tags->data() + place, given_tags->data() + place + size) : tagger.tag(sentence);
            std::copy(found.begin(), found.end(), tags.begin() + static_cast<std::ptrdiff_t>(place));
            if (!dependencies && !trees) continue;
            const an::Dependencies parsed =
                given ? dependencies_of(*given_heads, *given_relations, texts, i) : parser.parse(sentence, found);
            for (std::size_t w = 0; w < size; ++w) {
              const int head = parsed.heads[w];
              heads[place + w] = head >= 0 ? head + static_cast<int>(piece) : root;
              relations[place + w] = head < 0 && piece > 0 ? loose_relation : parsed.relations[w];
              if (head < 0 && piece == 0) root = static_cast<int>(w);
            }
            if (!trees) continue;
            for (an::LabelledSpan span : spanner.parse(sentence, found, parsed)) {
              span.begin += static_cast<int>(piece);
              span.end += static_cast<int>(piece);
              spans[i].push_back(span);
            }
          }
        }
      });
    }
    std::vector<SpanRow> rows;
    for (std::size_t i = 0; i < spans.size(); ++i)
      for (const an::LabelledSpan& span : spans[i]) rows.push_back({static_cast<std::int32_t>(i), span.begin, span.end, span.label});
    return nb::make_tuple(to_numpy<std::uint8_t>(std::move(tags)), to_numpy<std::int32_t>(std::move(heads)),
                          to_numpy<std::uint8_t>(std::move(relations)), to_numpy<std::int32_t>(std::move(rows)));
  }

 private:
  struct SpanRow {
    std::int32_t sentence, begin, end, label;
  };

  // What one thread works with. It remembers what it looked up, so it is kept from call to call.
  struct Worker {
    Widths widths;
    an::Tagger tagger;
    an::DependencyParser parser;
    an::ConstituentParser spanner;
  };

  class Borrowed {
   public:
    Borrowed(const Analyser& owner, const Widths& widths) : owner_(owner) {
      {
        const std::lock_guard<std::mutex> lock(owner.idle_mutex_);
        auto& idle = owner.idle_;
        const auto fits = [&](const std::unique_ptr<Worker>& each) { return each->widths == widths; };
        if (const auto found = std::find_if(idle.begin(), idle.end(), fits); found != idle.end()) {
          worker_ = std::move(*found);
          idle.erase(found);
          return;
        }
      }
      worker_.reset(new Worker{widths, {owner.tagger_, owner.table_, widths[0]},
                               {owner.arcs_, owner.relations_, owner.tag_kinds_.data(), widths[1]},
                               {owner.structure_, owner.labels_, widths[2]}});
    }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    ~Borrowed() {
      const std::lock_guard<std::mutex> lock(owner_.idle_mutex_);
      if (owner_.idle_.size() < most_idle) owner_.idle_.push_back(std::move(worker_));  // there is room
    }
    Worker& operator*() const { return *worker_; }

   private:
    const Analyser& owner_;
    std::unique_ptr<Worker> worker_;
  };

  static constexpr std::size_t most_idle = 16;
  static constexpr std::size_t longest_piece = 1000;
  static constexpr std::uint8_t loose_relation = 254;

  std::vector<nb::object> kept_;
  std::vector<std::uint8_t> tag_kinds_;
  an::WordTable table_;
  an::PackedWeights tagger_, arcs_, relations_, structure_, labels_;
  mutable std::mutex idle_mutex_;
  mutable std::vector<std::unique_ptr<Worker>> idle_;
};

// Parsed sentences as the role labeller takes them; all arrays run over the words of all sentences.
struct ParsedTexts {
  nb::object sentences, lemmas;
  Input<std::uint8_t> tags;
  Input<std::int32_t> heads;
  Input<std::uint8_t> relations, sense_counts;
};

struct CheckedTexts {
  Texts texts, lemmas;
  const ParsedTexts& in;

  explicit CheckedTexts(const ParsedTexts& parsed) : texts(parsed.sentences), lemmas(parsed.lemmas), in(parsed) {
    need(lemmas.sentences == texts.sentences, "lemmas: needs one for each word");
    for (const std::size_t size : {in.tags.shape(0), in.heads.shape(0), in.relations.shape(0), in.sense_counts.shape(0)})
      need(size == texts.words(), "parsed: needs a tag, head, relation and number of senses for each word");
  }

  an::ParsedSentence parsed(std::size_t sentence, const std::uint8_t* tag_uses, const an::ClassTable& classes) const {
    static const an::WordTable table;
    an::ParsedSentence found{an::Sentence(texts[sentence], table), {}, {}, tags_of(in.tags, texts, sentence),
                             dependencies_of(in.heads, in.relations, texts, sentence), tag_uses};
    for (const std::string_view lemma : lemmas[sentence]) {
      found.lemmas.push_back(an::hash_text(lemma));
      found.classes.push_back(classes.find(found.lemmas.back()));
    }
    return found;
  }
};

void check_least(int least) { need(least >= 0 && least <= 1000, "least must lie between 0 and 1000"); }

nb::bytes pack_classes(nb::list lemmas, const Rows& classes) {
  const Texts texts(nb::make_tuple(lemmas));
  need(classes.shape(0) == texts.words() && classes.shape(1) == an::WordClasses{}.size(), "classes: needs a row of three for each lemma");
  const auto words = texts[0];
  std::vector<std::pair<an::Feature, an::WordClasses>> rows;
  for (std::size_t i = 0; i < texts.words(); ++i) {
    an::WordClasses own{};
    for (std::size_t k = 0; k < own.size(); ++k) {
      const std::int32_t found = classes.data()[i * own.size() + k];
      need(found >= 0 && found <= 0xffff, "classes: must lie between 0 and 65535");
      own[k] = static_cast<std::uint16_t>(found);
    }
    rows.emplace_back(an::hash_text(words[i]), own);
  }
  return to_bytes(an::ClassTable::pack(std::move(rows)));
}

void check_uses(const Input<std::uint8_t>& uses) { need(uses.shape(0) == 256, "tag_uses: needs 256 entries"); }

// Rows of predicates (sentence, word, sense), by sentence and word, and of arguments (predicate, begin, end, role).
std::vector<an::RoleExample> role_examples(const CheckedTexts& checked, const Rows& predicates, const Rows& arguments, int roles,
                                           const std::uint8_t* tag_uses, const an::ClassTable& classes) {
  need(predicates.shape(1) == 3 && arguments.shape(1) == 4, "predicates and arguments: need three and four columns");
  std::vector<an::RoleExample> examples(checked.texts.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    examples[i].parsed = checked.parsed(i, tag_uses, classes);
    const std::uint8_t* counts = checked.in.sense_counts.data() + checked.texts.begin(i);
    examples[i].sense_counts.assign(counts, counts + examples[i].parsed.tags.size());
  }
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t k = 0; k < predicates.shape(0); ++k) {
    const std::int32_t* row = predicates.data() + 3 * k;
    need(row[0] >= 0 && static_cast<std::size_t>(row[0]) < examples.size(), "predicates: a sentence out of range");
    an::RoleExample& example = examples[static_cast<std::size_t>(row[0])];
    need(row[1] >= 0 && static_cast<std::size_t>(row[1]) < example.parsed.tags.size() &&
             (example.gold.empty() || example.gold.back().word < row[1]) && row[2] >= 0,
         "predicates: words must rise and lie in their sentences");
    places.emplace_back(static_cast<std::size_t>(row[0]), example.gold.size());
    example.gold.push_back({row[1], row[2], {}});
  }
  for (std::size_t k = 0; k < arguments.shape(0); ++k) {
    const std::int32_t* row = arguments.data() + 4 * k;
    need(row[0] >= 0 && static_cast<std::size_t>(row[0]) < places.size(), "arguments: a predicate out of range");
    const auto [sentence, number] = places[static_cast<std::size_t>(row[0])];
    need(row[1] >= 0 && row[1] < row[2] && static_cast<std::size_t>(row[2]) <= examples[sentence].parsed.tags.size() && row[3] >= 1 &&
             row[3] < roles,
         "arguments: a span or role out of range");
    examples[sentence].gold[number].arguments.push_back({row[1], row[2], row[3]});
  }
  return examples;
}

struct RoleTraining {
  std::size_t bytes = 0, network_bytes = 0;
  int networks = 0, units = 0, least_notes = 0, least = 0, epochs = 0, folds = 0;
  std::uint64_t seed = 0;
};

nb::tuple train_roles(const ParsedTexts& parsed, Rows predicates, Rows arguments, Input<std::uint8_t> single,
                      Input<std::uint8_t> tag_uses, Input<std::uint8_t> classes, const RoleTraining& training) {
  const int roles = static_cast<int>(single.shape(0));
  check_uses(tag_uses);
  need(roles >= 2 && roles <= an::most_classes, "single: from 2 to 256 roles");
  need(training.folds >= 2 && training.folds <= 100, "folds must lie between 2 and 100");
  need(training.epochs >= 1 && training.epochs <= 1000, "epochs must lie between 1 and 1000");
  need(training.least_notes >= 1 && training.least_notes <= 1'000'000, "least_notes must lie between 1 and a million");
  need(training.networks >= 1 && training.networks <= 16, "networks must lie between 1 and 16");
  check_least(training.least);
  const CheckedTexts checked(parsed);
  const an::ClassTable table(view(classes));
  const auto examples = role_examples(checked, predicates, arguments, roles, tag_uses.data(), table);
  an::RoleWeights packed;
  double reached = 0;
  {
    nb::gil_scoped_release release;
    packed = an::train_roles(examples, single.data(), {roles, training.bytes, training.network_bytes, training.networks, training.units, training.least_notes, training.least,
                                                        training.epochs, training.folds, training.seed});
    reached = an::span_recall(examples);
  }
  return nb::make_tuple(to_bytes(packed.predicates), to_bytes(packed.senses), to_bytes(packed.roles),
                        to_bytes(packed.network), to_bytes(packed.revision), reached);
}

// The role labeller over memory that Python keeps.
class RoleAnalyser {
 public:
  RoleAnalyser(Input<std::uint8_t> predicates, Input<std::uint8_t> senses, Input<std::uint8_t> roles, Input<std::uint8_t> network,
               Input<std::uint8_t> revision, Input<std::uint8_t> classes, Input<std::uint8_t> single, Input<std::uint8_t> tag_uses, int least)
      : least_(least),
        kept_{nb::cast(predicates), nb::cast(senses), nb::cast(roles), nb::cast(network), nb::cast(revision), nb::cast(classes)},
        single_(single.data(), single.data() + single.shape(0)),
        tag_uses_(tag_uses.data(), tag_uses.data() + tag_uses.shape(0)),
        predicates_(view(predicates)),
        senses_(view(senses)),
        roles_(view(roles)),
        revision_(view(revision)),
        network_(view(network)),
        classes_(view(classes)) {
    check_uses(tag_uses);
    check_least(least);
    need(predicates_.classes() == 2 && senses_.classes() == an::most_senses, "predicates: expected two classes, and 16 senses");
    need(static_cast<std::size_t>(roles_.classes()) == single_.size(), "single: needs one entry for each role");
    need(revision_.classes() == roles_.classes() && network_.classes() == roles_.classes(), "network and revision: need as many classes as roles");
  }

  // With `given` (rows of sentence and word), the predicates are known.
  nb::tuple label(const ParsedTexts& parsed, const std::optional<Rows>& given, int threads) const {
    need(threads >= 1 && threads <= 1024, "threads must lie between 1 and 1024");
    const CheckedTexts checked(parsed);
    std::vector<std::vector<an::Predicate>> found(checked.texts.size());
    std::vector<std::vector<int>> words(found.size());
    if (given) {
      need(given->shape(1) == 2, "given: needs two columns");
      for (std::size_t k = 0; k < given->shape(0); ++k) {
        const std::int32_t* row = given->data() + 2 * k;
        need(row[0] >= 0 && static_cast<std::size_t>(row[0]) < found.size(), "given: a sentence out of range");
        const auto place = static_cast<std::size_t>(row[0]);
        need(row[1] >= 0 && checked.texts.begin(place) + static_cast<std::size_t>(row[1]) < checked.texts.sentences[place],
             "given: a word out of range");
        words[place].push_back(row[1]);
      }
    }
    {
      nb::gil_scoped_release release;
      paragauge::parallel_blocks(static_cast<std::int64_t>(found.size()), 16, threads,
                                 [&](std::int64_t begin, std::int64_t end, int) {
        const an::RoleLabeller labeller({predicates_, senses_, roles_, network_, revision_}, single_.data(), least_);
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
          const an::ParsedSentence sentence = checked.parsed(i, tag_uses_.data(), classes_);
          const std::uint8_t* counts = parsed.sense_counts.data() + checked.texts.begin(i);
          found[i] = given ? labeller.label(sentence, words[i], counts) : labeller.label(sentence, counts);
        }
      });
    }
    std::vector<PredicateRow> predicates;
    std::vector<ArgumentRow> arguments;
    for (std::size_t i = 0; i < found.size(); ++i)
      for (const an::Predicate& each : found[i]) {
        for (const an::Argument& a : each.arguments)
          arguments.push_back({static_cast<std::int32_t>(predicates.size()), a.begin, a.end, a.role});
        predicates.push_back({static_cast<std::int32_t>(i), each.word, each.sense});
      }
    return nb::make_tuple(to_numpy<std::int32_t>(std::move(predicates)), to_numpy<std::int32_t>(std::move(arguments)));
  }

 private:
  struct PredicateRow {
    std::int32_t sentence, word, sense;
  };
  struct ArgumentRow {
    std::int32_t predicate, begin, end, role;
  };

  int least_;
  std::vector<nb::object> kept_;
  std::vector<std::uint8_t> single_, tag_uses_;
  an::PackedWeights predicates_, senses_, roles_, revision_;
  an::PackedNetwork network_;
  an::ClassTable classes_;
};

}  // namespace

void bind_analysis(nb::module_& m) {
  m.def("normal_forms", &normal_forms, "words"_a, "Return the words as the models look them up.");
  m.def("pack_words", &pack_words, "forms"_a, "tags"_a, "kinds"_a, "sets"_a);
  using an::Schedule;
  using paragauge::field;
  paragauge::bind_checked_struct(m, "Schedule", "How long models learn; `report` is told of epochs and mistakes.",
                                 check_schedule, field("epochs", &Schedule::epochs), field("runs", &Schedule::runs),
                                 field("width", &Schedule::width), field("variant_share", &Schedule::variant_share),
                                 field("seed", &Schedule::seed), field("least_notes", &Schedule::least_notes),
                                 field("report", &Schedule::report));
  m.def("train_tagger", &train_tagger, "variants"_a, nb::kw_only(), "tags"_a, "tag_count"_a, "words"_a, "bytes"_a,
        "schedule"_a);
  m.def("train_dependencies", &train_dependencies, "variants"_a, nb::kw_only(), "predicted_tags"_a, "heads"_a,
        "relations"_a, "relation_count"_a, "tag_kinds"_a, "bytes"_a, "schedule"_a);
  m.def("train_constituents", &train_constituents, "variants"_a, nb::kw_only(), "predicted_tags"_a, "predicted_heads"_a,
        "predicted_relations"_a, "spans"_a, "label_count"_a, "bytes"_a, "schedule"_a);
  nb::class_<Analyser>(m, "Analyser", "The models of English, over arrays that it keeps.")
      .def(nb::init<Input<std::uint8_t>, Input<std::uint8_t>, Input<std::uint8_t>, std::optional<Input<std::uint8_t>>,
                    std::optional<Input<std::uint8_t>>, std::optional<Input<std::uint8_t>>,
                    std::optional<Input<std::uint8_t>>>(),
           nb::kw_only(), "words"_a, "tag_kinds"_a, "tagger"_a, "arcs"_a = nb::none(), "relations"_a = nb::none(),
           "structure"_a = nb::none(), "labels"_a = nb::none())
      .def_prop_ro("classes", &Analyser::classes)
      .def("analyse", &Analyser::analyse, "sentences"_a, nb::kw_only(), "dependencies"_a, "trees"_a, "threads"_a, "widths"_a,
           "given_tags"_a = nb::none(), "given_heads"_a = nb::none(), "given_relations"_a = nb::none(),
           "Return arrays: a tag for each word; its head in the sentence (-1 for none) and relation; rows of "
           "(sentence, begin, end, label) for constituents.");
  paragauge::bind_struct(m, "ParsedTexts", "Parsed sentences, as the role labeller takes them.", field("sentences", &ParsedTexts::sentences),
                         field("lemmas", &ParsedTexts::lemmas), field("tags", &ParsedTexts::tags), field("heads", &ParsedTexts::heads),
                         field("relations", &ParsedTexts::relations), field("sense_counts", &ParsedTexts::sense_counts));
  paragauge::bind_struct(m, "RoleTraining", "How the role labeller learns.", field("bytes", &RoleTraining::bytes),
                         field("network_bytes", &RoleTraining::network_bytes), field("networks", &RoleTraining::networks),
                         field("units", &RoleTraining::units),
                         field("least_notes", &RoleTraining::least_notes), field("least", &RoleTraining::least),
                         field("epochs", &RoleTraining::epochs), field("folds", &RoleTraining::folds), field("seed", &RoleTraining::seed));
  m.def("pack_classes", &pack_classes, "lemmas"_a, "classes"_a, "Return a table of the classes of lemmas.");
  m.def("train_roles", &train_roles, "parsed"_a, nb::kw_only(), "predicates"_a, "arguments"_a, "single"_a, "tag_uses"_a, "classes"_a,
        "training"_a,
        "Return the packed weights for predicates, senses, roles, their network and their revision, and the share of arguments that can be found.");
  nb::class_<RoleAnalyser>(m, "RoleAnalyser", "The role labeller, over arrays that it keeps.")
      .def(nb::init<Input<std::uint8_t>, Input<std::uint8_t>, Input<std::uint8_t>, Input<std::uint8_t>, Input<std::uint8_t>,
                    Input<std::uint8_t>, Input<std::uint8_t>, Input<std::uint8_t>, int>(),
           nb::kw_only(), "predicates"_a, "senses"_a, "roles"_a, "network"_a, "revision"_a, "classes"_a, "single"_a, "tag_uses"_a, "least"_a)
      .def("label", &RoleAnalyser::label, "parsed"_a, nb::kw_only(), "given"_a = nb::none(), "threads"_a,
           "Return rows of predicates (sentence, word, sense) and of arguments (predicate, begin, end, role).");
}

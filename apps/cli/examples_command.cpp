// driftless examples: the model files that the program carries with it.

#include <algorithm>
#include <filesystem>

#include "commands.hpp"
#include "examples.hpp"
#include <fmt/format.h>

namespace driftless::cli {
namespace {

std::string_view find_stem(std::string_view name) { return name.substr(name.rfind('/') + 1); }

/// The lines from `begin` up to the next empty one.
std::string_view find_paragraph(std::string_view text, std::size_t begin) {
  return text.substr(begin, std::min(text.find("\n\n", begin), text.size()) - begin);
}

void list_examples() {
  constexpr std::pair<std::string_view, std::string_view> kGroups[] = {
      {"", "models of the literature, and first steps"},
      {"machines/", "machines"},
      {"elements/", "one for every type of joint, constraint, force and measure"}};
  std::size_t width = 0;
  for (const Example& each : all_examples()) width = std::max(width, each.name.size());
  for (const auto& [folder, title] : kGroups) {
    fmt::print("{}{}\n", folder.empty() ? "" : "\n", title);
    for (const Example& each : all_examples()) {
      const std::size_t slash = each.name.find('/');
      if (each.name.substr(0, slash == std::string_view::npos ? 0 : slash + 1) != folder) continue;
      fmt::print("  {:<{}}  {}\n", each.name, width, find_description(each));
    }
  }
  fmt::print("\nprint one: driftless examples NAME; write it: driftless examples NAME -o FILE\n");
}

/// Those whose name begins with the word, or holds it; else the nearest one.
std::string suggest_example(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t kFew = 8;
  std::vector<std::string> found;
  for (const Example& each : all_examples()) {
    if (find_stem(each.name).starts_with(name)) found.emplace_back(each.name);
  }
  for (const Example& each : all_examples()) {
    const bool is_there = std::find(found.begin(), found.end(), each.name) != found.end();
    if (!is_there && each.name.find(name) != std::string_view::npos) found.emplace_back(each.name);
  }
  if (found.empty()) {
    const std::string nearest = find_nearest(name, known);
    return nearest.empty() ? "see driftless examples" : "did you mean '" + nearest + "'?";
  }
  const bool is_more = found.size() > kFew;
  found.resize(std::min(found.size(), kFew));
  return fmt::format("did you mean {}?{}", fmt::join(found, ", "),
                     is_more ? " There are more: driftless examples" : "");
}

void write_example(const std::string& name, const std::string& out) {
  const Example* example = find_example(name);
  if (example == nullptr) {
    std::vector<std::string> known;
    for (const Example& each : all_examples()) {
      known.emplace_back(each.name);
      known.emplace_back(find_stem(each.name));
    }
    throw ModelError("there is no example '" + name + "'", suggest_example(name, known));
  }
  if (out.empty()) {
    fmt::print("{}", example->text);
    return;
  }
  if (std::filesystem::exists(out)) {
    throw ModelError(out + " exists already", "choose another name; nothing was overwritten");
  }
  write_text_file(out, std::string(example->text));
  fmt::print("{}\n", out);
}

}  // namespace

const Example* find_example(std::string_view name) {
  const Example* found = nullptr;
  for (const Example& each : all_examples()) {
    if (each.name == name) return &each;
  }
  for (const Example& each : all_examples()) {
    if (find_stem(each.name) != name) continue;
    if (found != nullptr) return nullptr;
    found = &each;
  }
  return found;
}

std::string_view find_description(const Example& example) {
  constexpr std::string_view kKey = "\ndescription = \"";
  const std::size_t begin = example.text.find(kKey);
  if (begin == std::string_view::npos) return {};
  const std::size_t first = begin + kKey.size();
  return example.text.substr(first, example.text.find('"', first) - first);
}

const Example* find_gallery_model(std::string_view kind, std::string_view type) {
  const Example* own = find_example(fmt::format("elements/{}", type));
  return own != nullptr ? own : find_example(fmt::format("elements/{}_{}", type, kind));
}

std::string find_section(std::string_view kind, std::string_view type) {
  const Example* example = find_gallery_model(kind, type);
  if (example == nullptr) return {};
  const std::string head = fmt::format("\n[{}.", kind);
  const std::string line = fmt::format("\ntype = \"{}\"", type);
  for (std::size_t at = example->text.find(head); at != std::string_view::npos;
       at = example->text.find(head, at + 1)) {
    const std::string_view section = find_paragraph(example->text, at + 1);
    if (section.find(line) != std::string_view::npos) return std::string(section);
  }
  return {};
}

void add_examples(CommandLine& line) {
  struct Arguments {
    std::string name;
    std::string out;
  };
  auto arguments = std::make_shared<Arguments>();
  Verb verb = line.add_verb("examples", "models to look at: list, print or write them");
  verb.text("NAME", arguments->name, "print this one (default: list all)")
      .completes(Values::example);
  verb.text("-o,--output", arguments->out, "write it to this file").completes(Values::file);
  verb.footer(
      "Examples:\n  driftless examples\n  driftless examples elements/gear\n  driftless examples "
      "jansen_leg -o leg.toml");
  verb.action([arguments] {
    if (!arguments->name.empty()) {
      write_example(arguments->name, arguments->out);
    } else if (!arguments->out.empty()) {
      throw ModelError("which example is to be written is not said",
                       "driftless examples NAME -o " + arguments->out);
    } else {
      list_examples();
    }
  });
}

}  // namespace driftless::cli

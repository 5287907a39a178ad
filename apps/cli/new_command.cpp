// driftless new: a model to start from.

#include <filesystem>

#include "commands.hpp"
#include <fmt/format.h>

#include "driftless/io/templates.hpp"

namespace driftless::cli {

void add_new(CommandLine& line) {
  struct Arguments {
    std::string name;
    std::string out;
    std::string n;
    std::string joint;
  };
  auto arguments = std::make_shared<Arguments>();
  Verb verb = line.add_verb("new", "print a model to start from");
  verb.text("TEMPLATE", arguments->name,
            "see driftless list templates (default: a commented first mechanism)")
      .completes(Values::model_template);
  verb.text("-o,--output", arguments->out, "write it to this file").completes(Values::file);
  verb.text("--n", arguments->n, "size, for templates that have one");
  verb.text("--joint", arguments->joint, "type of joint, for templates that have one");
  verb.footer(
      "Examples:\n  driftless new -o first.toml\n  driftless new equations -o pendulum.toml\n  "
      "driftless new n-four-bar --n 40 -o n40.toml\n  "
      "driftless new chain --n 20 --joint spherical -o chain.toml");
  verb.action([arguments] {
    const std::string name =
        arguments->name.empty() ? std::string(all_templates().front().name) : arguments->name;
    std::vector<std::pair<std::string, std::string>> options;
    if (!arguments->n.empty()) options.emplace_back("n", arguments->n);
    if (!arguments->joint.empty()) options.emplace_back("joint", arguments->joint);
    const std::string text = make_template(name, options);
    if (arguments->out.empty()) {
      fmt::print("{}", text);
      return;
    }
    if (std::filesystem::exists(arguments->out)) {
      throw ModelError(arguments->out + " exists already",
                       "choose another name; nothing was overwritten");
    }
    write_text_file(arguments->out, text);
    fmt::print("{}\n", arguments->out);
  });
}

}  // namespace driftless::cli

//! Logs are an attacker's text.

use proptest::prelude::*;
use ratewaf::report::{self, Style};
use ratewaf::units::is_plain;

use super::{samples, words::PlainWords};

/// What Markdown, HTML, GitHub or a terminal may take for more than text, in any mixture.
fn wild() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "`",
        "``",
        "|",
        "\\",
        "\\|",
        "\n",
        "\r\n",
        "\n\n",
        "\u{1b}[2J",
        "\u{9b}",
        "\u{202e}",
        "<b>",
        "</details>",
        "<!--",
        "-->",
        "&lt;",
        "&#64;",
        "@admin",
        "@org/team",
        "#12",
        "GH-12",
        "http://evil.example",
        "www.evil.example",
        "mailto:a@b.example",
        "[a](b)",
        "![a](b)",
        "[a]: b",
        "**",
        "_",
        "~~",
        "# ",
        "- ",
        "1. ",
        "> ",
        "    ",
        "```",
        "~~~",
        "$$",
        ":smile:",
        "deadbeef1234567",
        " ",
        "a",
        "é",
        "/",
        "{",
        "}",
        ",",
        ".",
        "(",
        ")",
        "'",
        "\"",
        "\t",
        "\0",
    ]);
    prop::collection::vec(
        prop_oneof![4 => pieces.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)],
        0..24,
    )
    .prop_map(|pieces| pieces.concat())
}

/// The text of a Markdown document outside of its code spans, a line at a time. All spans of a report
/// begin and end on one line and hold no backtick.
fn outside_of_code(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    assert_eq!(parts.len() % 2, 1, "an open code span: {line}");
    parts.iter().step_by(2).copied().collect::<Vec<_>>().join("")
}

fn check_markdown(markdown: &str, calm: &str) -> Result<(), TestCaseError> {
    // The same report with harmless text has the same lines, cells and tags: foreign text added nothing.
    let shape = |text: &str| -> Vec<(usize, String)> {
        text.lines()
            .map(|line| {
                let rest = outside_of_code(line);
                let tags = rest
                    .split_inclusive('<')
                    .skip(1)
                    .map(|tag| tag.split('>').next().unwrap_or_default().to_owned());
                (line.matches('|').count(), tags.collect())
            })
            .collect()
    };
    prop_assert_eq!(shape(markdown), shape(calm));
    for line in markdown.lines() {
        let rest = outside_of_code(line);
        prop_assert!(line.chars().all(is_plain), "{}", line);
        for mark in ["@", "://", "www.", "[", "](", "&", "\\", "mailto", "~", "$", "GH-"] {
            prop_assert!(!rest.contains(mark), "{mark} outside of code: {line}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn markdown_stays_what_it_is(text in wild()) {
        let hostile = report::markdown(&samples::hostile_with(&text), &PlainWords);
        let calm = report::markdown(&samples::hostile_with("calm"), &PlainWords);
        check_markdown(&hostile, &calm)?;
    }

    #[test]
    fn a_terminal_gets_nothing_to_obey(text in wild(), width in 40usize..200) {
        let told = report::text(&samples::hostile_with(&text), &PlainWords, &Style::new(false, true), width);
        for line in told.lines() {
            prop_assert!(line.chars().all(is_plain), "{}", line);
            prop_assert!(line.chars().count() <= width.clamp(60, 160), "{} > {}: {}", line.chars().count(), width, line);
        }
        let json = report::json(&samples::hostile_with(&text), &PlainWords);
        prop_assert!(json.lines().all(|line| line.chars().all(is_plain)));
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    }
}

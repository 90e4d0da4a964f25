use proptest::prelude::*;

use super::*;

#[test]
fn layout_is_that_of_terraform_fmt() {
    let mut file = Content::default();
    file.comment("About this file");
    file.block("locals", &[], |locals| {
        locals.comment("why");
        locals.attribute("a", number(1_u32));
        locals.attribute("longer", text("x"));
        locals.comment("again");
        locals.attribute("b", list([text("x"), text("y")]));
        locals.attribute("c", list([text("x")]));
        locals.attribute(
            "policy",
            call(
                "jsonencode",
                object([
                    ("Version", text("2012-10-17")),
                    ("Statement", list([object([("aws:x", reference(&["local", "a"]))])])),
                ]),
            ),
        );
        locals.attribute("after", number(2_u32));
    });
    file.block("resource", &["a_b", "c"], |resource| {
        resource.attribute("provider", reference(&["aws", "us_east_1"]));
        resource.blank();
        resource.attribute("name", text("n"));
        resource.block("empty", &[], |_| {});
        resource.block("full", &[], |full| full.attribute("x", number(1_u32)));
    });
    let wanted = r#"# About this file
locals {
  # why
  a      = 1
  longer = "x"

  # again
  b = [
    "x",
    "y",
  ]
  c = ["x"]
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        "aws:x" = local.a
      },
    ]
  })
  after = 2
}

resource "a_b" "c" {
  provider = aws.us_east_1

  name = "n"

  empty {}

  full {
    x = 1
  }
}
"#;
    assert_eq!(file.to_string(), wanted);
    assert_eq!(::hcl::parse(wanted).unwrap(), file.to_body());
}

#[test]
fn templates_are_written_so_that_they_do_not_run() {
    assert_eq!(quoted("${file(\"/etc/passwd\")}"), r#""$${file(\"/etc/passwd\")}""#);
    assert_eq!(quoted("%{ if true }"), r#""%%{ if true }""#);
    assert_eq!(quoted("$${a}"), r#""\u0024\u0024{a}""#);
    assert_eq!(quoted("^/a$ 100%"), r#""^/a$ 100%""#);
    assert_eq!(quoted("a\n\"b\\\u{1b}\u{202e}\u{e0001}"), r#""a\n\"b\\\u001b\u202e\U000e0001""#);
}

#[test]
fn a_comment_stays_a_comment() {
    let mut file = Content::default();
    file.comment("limit\nprovisioner \"local-exec\" {}\r\u{2028}x ");
    file.comment("");
    file.comment(&"word ".repeat(40));
    let text = file.to_string();
    assert!(
        text.lines().all(|line| line.starts_with('#') && line.chars().count() <= 100),
        "{text}"
    );
    assert!(
        text.starts_with("# limit\\u{a}provisioner \"local-exec\" {}\\u{d}\\u{2028}x\n#\n# word ")
    );
    assert_eq!(::hcl::parse(&text).unwrap(), Body::default());
}

/// Text that is likely to hold what means something in HCL.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("${".to_owned()),
        Just("%{".to_owned()),
        Just("$".to_owned()),
        Just("%".to_owned()),
        Just("{".to_owned()),
        Just("}".to_owned()),
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just("\n".to_owned()),
        Just("<<EOT\n".to_owned()),
        Just("# ".to_owned()),
        Just("*/".to_owned()),
        any::<char>().prop_map(String::from),
        "[a-z ]{1,5}",
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn whatever_is_written_is_read_back(
        strings in proptest::collection::vec(hostile(), 1..6),
        comment in hostile(),
        label in "[a-z_][a-z0-9_-]{0,10}",
    ) {
        let mut file = Content::default();
        file.comment(&comment);
        file.block("locals", &[&label], |locals| {
            locals.attribute("one", text(strings[0].clone()));
            locals.comment(&comment);
            locals.attribute("many", list(strings.iter().cloned().map(text)));
            locals.attribute("call", call("jsonencode", object([("a:b", text(strings[0].clone()))])));
        });
        let printed = file.to_string();
        let read = ::hcl::parse(&printed).map_err(|error| {
            TestCaseError::fail(format!("{error}\n{printed}"))
        })?;
        // Strings only: a template would be a `TemplateExpr`, and not equal.
        prop_assert_eq!(read, file.to_body());
    }
}

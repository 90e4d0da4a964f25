//! Every check fires on its bad examples and on none of its good ones.

use super::page::{all, run};

#[test]
fn checks_fire_on_their_bad_examples_only() {
    let mut wrong = Vec::new();
    for check in all() {
        let id = check.about().id;
        let (bad, good) = (run(check, "Bad"), run(check, "Good"));
        if bad.is_empty() || good.is_empty() {
            wrong.push(format!("docs/checks/{id}.md has no bad or no good example"));
        }
        for (example, findings) in bad {
            if findings.is_empty() {
                wrong.push(format!("{}: `{id}` says nothing", example.name));
            }
        }
        for (example, findings) in good {
            for finding in findings {
                wrong.push(format!("{}: {}", example.name, finding.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_list_is_in_order_and_every_page_belongs_to_a_check() {
    let ids: Vec<&str> = all().map(|check| check.about().id).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(ids, sorted);
    for check in all() {
        let about = check.about();
        assert!(about.page.starts_with(&format!("# {}\n", about.id)), "{}", about.id);
        assert!(!about.title.ends_with('.'), "{}", about.title);
    }
    let folder = crate::harness::repository("docs/checks");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let id = name.trim_end_matches(".md");
        assert!(
            id == "README" || id == "suppression" || ids.contains(&id),
            "docs/checks/{name} is of no check"
        );
    }
}

#[test]
#[ignore = "a list for people"]
fn print_what_else_fires() {
    use ratewaf::checks::model::build;
    for check in all() {
        for section in ["Bad", "Good"] {
            for example in super::page::examples(check.about().id, section) {
                let deployment = build(example.found.clone());
                for other in all().filter(|it| it.about().id != check.about().id) {
                    for finding in super::page::findings(other, &example, &deployment) {
                        println!(
                            "{} {section}: {} {}: {}",
                            check.about().id,
                            finding.severity.as_str(),
                            finding.check,
                            finding.message
                        );
                    }
                }
            }
        }
    }
}

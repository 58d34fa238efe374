//! `fourseam explain`, as a person or a script calls it.

use crate::run::{Home, run};
use serde_json::Value;

#[test]
fn the_tree_shows_decoded_words_and_what_is_not_known() {
    let output =
        run(&mut Home::new().verb(&["explain", "X=/srv; (rm -rf \"$X\"/a > 'o u t') && echo r''m | $CMD"]), b"");
    assert_eq!(output.exit, 0, "{output:?}");
    for line in ["X=/srv", "rm -rf /srv/a > 'o u t'", "in a subshell", "echo rm", "not read: the program is not known"]
    {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
    assert!(!output.stdout.contains('\u{1b}'), "no colours outside of a terminal");
}

#[test]
fn json_keeps_its_keys_and_spans_slice_back() {
    let command = "cat <<'E' | bash\nrm x\nE";
    let output = run(&mut Home::new().verb(&["explain", "--json", command]), b"");
    let value: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(value["command"], command);
    assert!(value["micros"]["parse"].is_u64() && value["analysis"]["invocations"].is_array());
    let first = &value["script"]["commands"][0];
    let span = |key: &str| usize::try_from(first["words"][0]["span"][key].as_u64().unwrap()).unwrap();
    assert_eq!(command.get(span("start")..span("end")), Some("cat"));
}

#[test]
fn every_input_is_explained() {
    let home = Home::new();
    for command in ["", "   ", "((((", "\u{0}", "a\n'", "$(", &"(".repeat(5000), &"x ".repeat(20_000)] {
        let command = command.replace('\0', "");
        let output = run(&mut home.verb(&["explain", "--", &command]), b"");
        assert_eq!(output.exit, 0, "{command:.40}: {:.300}", output.stderr);
    }
}

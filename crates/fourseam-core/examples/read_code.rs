fn main() {
    let mut args = std::env::args().skip(1);
    let language = serde_json::from_value(serde_json::Value::String(args.next().unwrap())).unwrap();
    let reading = fourseam_core::code::read(language, &args.next().unwrap());
    for act in reading.acts {
        println!("{act}");
    }
    for unknown in reading.unknowns {
        println!("unknown {unknown:?}");
    }
}

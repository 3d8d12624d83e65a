//! Hostile course agents.

use std::time::Duration;

use crate::desk::{Desk, message, verdict};

#[track_caller]
fn check(body: &str, expected: Option<&str>) {
    let saved = Desk::new().agent(body);
    assert_eq!(verdict(&saved), expected, "{}\n{body}", message(&saved));
}

#[test]
fn an_agent_that_does_not_read_is_silent() {
    let body = r#"
    def action(self, **referee):
        for number, mode in pipes():
            if mode == os.O_RDONLY:
                fcntl.fcntl(number, 1031, 4096)
        # Each request is followed by one for a collection.
        ok = b'{"ok": true}'
        for n in range(21):
            move = b'{"move": "%d-%d", "said": "x"}' % (n // 7, n % 7)
            forge(b"\n".join([move, ok, ok, ok, ok, ok]))
        time.sleep(100)
"#;
    let saved = Desk::new().agent(body);
    assert_eq!((verdict(&saved), saved.moves.len()), (Some("silence"), 42), "{}", message(&saved));
}

#[test]
fn thinking_in_finalizers_is_charged() {
    let body = r#"
    def action(self, **referee):
        self.litter()
        return super().action()

    def turn(self, color, action, **referee):
        self.litter()
        super().turn(color, action)

    def litter(self):
        class Thinker:
            def __init__(self): self.own = self
            def __del__(self): think(0.2)
        Thinker()
"#;
    check(body, Some("time"));
    let endless = r#"
    def action(self, **referee):
        class Thinker:
            def __init__(self): self.own = self
            def __del__(self):
                while True: pass
        Thinker()
        return super().action()
"#;
    check(endless, Some("time"));
}

#[test]
fn waiting_in_finalizers_is_part_of_the_call() {
    let body = r#"
    def action(self, **referee):
        class Sleeper:
            def __init__(self): self.own = self
            def __del__(self): time.sleep(1.5)
        Sleeper()
        time.sleep(1.5)
        return super().action()
"#;
    check(body, Some("silence"));
}

#[test]
fn a_replaced_collector_is_not_called() {
    let body = r#"
    def __init__(self, color, **referee):
        super().__init__(color)
        gc.collect = lambda *_: think(60)
        gc.callbacks = []
"#;
    let mut desk = Desk::new();
    desk.options.time = Some(Some(Duration::from_secs(20)));
    let saved = desk.agent(body);
    assert_eq!(verdict(&saved), None, "{}", message(&saved));
}

#[test]
fn thinking_after_an_early_reply_is_charged() {
    let body = r#"
    def __init__(self, color, **referee):
        super().__init__(color)
        forge(b'{"ok": true}')
        while True: pass
"#;
    check(body, Some("time"));
}

#[test]
fn an_agent_that_stops_itself_is_silent() {
    let body = "    def action(self, **referee):\n        os.kill(os.getpid(), signal.SIGSTOP)";
    check(body, Some("silence"));
}

#[test]
fn an_agent_that_only_waits_loses_the_game_at_last() {
    let body = r#"
    def action(self, **referee):
        time.sleep(0.4)
        return super().action()
"#;
    let mut desk = Desk::new();
    desk.options.time = Some(Some(Duration::from_secs(20)));
    desk.options.game = Some(Duration::from_millis(1500));
    let saved = desk.agent(body);
    assert_eq!(verdict(&saved), Some("silence"), "{}", message(&saved));
    assert!(message(&saved).contains("in this game"), "{}", message(&saved));
}

#[test]
fn what_is_recorded_of_a_fault_is_short() {
    for reply in
        [r#"{"illegal": "%s", "said": "%s"}"#, r#"{"crash": "%s%s"}"#, r#"{"move": "%s", "said": "%s"}"#]
    {
        let body = format!(
            "    def action(self, **referee):\n        forge(({reply:?} % ('x' * 400_000, 'y' * 400_000)).encode())\n        time.sleep(100)\n"
        );
        let saved = Desk::new().agent(&body);
        let size = saved.to_line().len();
        assert!(saved.fault.is_some() && size < 30_000, "{size} bytes");
        assert!(saved.note.unwrap().len() < 500);
    }
}

#[test]
fn an_agent_that_never_starts_is_told_apart() {
    let body = "    def __init__(self, color, **referee):\n        raise ValueError('no')";
    assert!(Desk::new().agent(body).fault.unwrap().at_start);
    let body = "    def action(self, **referee):\n        raise ValueError('no')";
    assert!(!Desk::new().agent(body).fault.unwrap().at_start);
}

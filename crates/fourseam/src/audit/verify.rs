//! Checks the chain of the log: every line names the hash of the line before, and the numbers rise by one. What was
//! rewritten as a whole, all hashes made anew, differs only from a head that was kept elsewhere.

use super::Folder;
use super::chain::{self, Head};
use super::files::{Line, Lines, last_number};
use super::kept::KeptHead;
use super::own::Own;
use super::report::{Fault, Finding, Place, Report};
use super::rows::numbered;
use crate::home::Home;
use fourseam_core::record::{Link, hash};
use std::io;
use std::path::Path;
use std::rc::Rc;

/// Checks the whole log, against its head and the heads that were kept elsewhere.
///
/// # Errors
/// When the log cannot be opened.
pub(crate) fn verify(home: &Home, kept: &[KeptHead]) -> io::Result<Report> {
    let folder = Folder::of(home);
    // The head and the length of the log belong together; reading happens without the lock.
    let lock = super::lock_to_read(&folder);
    let head = chain::read_head(&folder);
    let mut lines = Lines::open(&folder)?;
    drop(lock);
    let mut walk = Walk { kept: kept.iter().filter(|kept| kept.seq > 0).cloned().collect(), ..Walk::default() };
    while let Some(line) = lines.next() {
        match line {
            Ok(line) => walk.line(&line),
            Err((file, error)) => {
                walk.find(Fault::Unreadable(format!("cannot be read: {error}")), Place { file, line: 0 }, None);
            }
        }
    }
    walk.end(&folder, head.as_ref());
    walk.report.waiting = super::spool::count(&folder);
    Ok(walk.report)
}

/// In place of a hash that a changed line named.
const UNKNOWN: &str = "";

/// The way along the log.
#[derive(Default)]
struct Walk {
    report: Report,
    /// The first record.
    first: Option<(Link, Place)>,
    /// Where the next record belongs: after the highest so far.
    next: Option<Link>,
    /// The line that `next` follows.
    last: Option<Place>,
    /// The line read last.
    before: Option<Place>,
    /// Lines since `last` that are no records, each with the place in the chain of what follows it.
    loose: Vec<(Link, Place)>,
    /// Records that are missing so far.
    gaps: Vec<Finding>,
    /// Up to which record retention took records away, and the hash of that one.
    taken: Vec<(u64, String)>,
    /// Kept heads that no line has answered to.
    kept: Vec<KeptHead>,
}

impl Walk {
    fn line(&mut self, line: &Line<'_>) {
        let place = Place { file: Rc::clone(line.file), line: line.number };
        if self.before.as_ref().is_none_or(|before| before.file != place.file) {
            self.report.files += 1;
        }
        match numbered(line.bytes) {
            Ok(numbered) => {
                let link = Link { seq: numbered.seq, prev: numbered.prev.into_owned() };
                self.record(&link, line.bytes, &place);
            }
            // The chain goes on from it if the next record names it.
            Err(_) => {
                let seq = self.next.as_ref().map_or(1, |next| next.seq);
                let after = Link { seq, prev: hash(line.bytes) };
                self.meet_kept(&after);
                self.loose.push((after, place.clone()));
            }
        }
        self.before = Some(place);
    }

    fn record(&mut self, link: &Link, bytes: &[u8], place: &Place) {
        self.report.records += 1;
        match Own::of_line(bytes) {
            Some(Own::Retention { last, hash }) => self.taken.push((last, hash)),
            Some(Own::HeadLost) => self.find(Fault::HeadLost, place.clone(), Some((link.seq, link.seq))),
            Some(Own::SpoolDamaged { file, why }) => {
                let fault = Fault::SpoolDamaged(format!(
                    "records that waited were damaged, and are kept as `spool/{file}.damaged`: {why}"
                ));
                self.find(fault, place.clone(), Some((link.seq, link.seq)));
            }
            None => {}
        }
        let next = match self.next.clone() {
            Some(next) => next,
            None => self.begin(link, place),
        };
        if link.seq < next.seq {
            return self.out_of_place(link.seq, place);
        }
        if link.seq > next.seq {
            self.gap((next.seq, link.seq - 1), place);
        } else {
            self.linked(link, &next);
        }
        self.next = Some(link.after(bytes));
        self.last = Some(place.clone());
        self.meet_kept(&link.after(bytes));
    }

    /// The first record: where the log begins. Lines before it may have been records.
    fn begin(&mut self, link: &Link, place: &Place) -> Link {
        let first = match (self.loose.len() as u64, self.loose.first()) {
            (_, None) => link.clone(),
            (count, Some(_)) if link.seq <= count + 1 => Link::first(),
            (count, Some(_)) => Link { seq: link.seq - count, prev: UNKNOWN.to_owned() },
        };
        let place = self.loose.first().map_or(place, |(_, place)| place);
        self.first = Some((first.clone(), place.clone()));
        first
    }

    fn meet_kept(&mut self, after: &Link) {
        self.kept.retain(|kept| !(kept.seq + 1 == after.seq && kept.hash == after.prev));
    }

    /// The record has the right number: does it name the line before it?
    fn linked(&mut self, link: &Link, next: &Link) {
        let loose = std::mem::take(&mut self.loose);
        let named = loose.iter().position(|(after, _)| after.prev == link.prev);
        for (index, (_, place)) in loose.into_iter().enumerate() {
            // Torn lines are part of the chain, which goes on from the last of them.
            let torn = named.is_some_and(|named| index <= named);
            self.find(if torn { Fault::Torn } else { Fault::Added }, place, None);
        }
        if named.is_none()
            && next.prev != link.prev
            && let Some(last) = self.last.clone()
        {
            let seq = link.seq.saturating_sub(1);
            self.find(Fault::Changed, last, Some((seq, seq)));
        }
    }

    /// Records are missing before a line.
    fn gap(&mut self, records: (u64, u64), place: &Place) {
        let (first, last) = records;
        let loose = std::mem::take(&mut self.loose);
        // A record that was changed so that it is none any more leaves its line behind.
        let are_these = loose.len() as u64 == last - first + 1;
        for (seq, (_, place)) in (first..).zip(loose) {
            self.find(Fault::Changed, place, are_these.then_some((seq, seq)));
        }
        if are_these {
            return;
        }
        let (fault, place) = match self.before.clone().filter(|before| before.file != place.file) {
            // The name of a file that was set aside says with which record it ended.
            Some(before) if last_number(&before.file) == Some(first - 1) => {
                (Fault::FileRemoved, Place { file: Rc::clone(&place.file), line: 0 })
            }
            Some(before) => (Fault::Cut, before),
            None => (Fault::Removed, place.clone()),
        };
        self.gaps.push(Finding { fault, place, records: Some(records) });
    }

    /// A record behind later ones: it was missing where it belongs, or it is there twice.
    fn out_of_place(&mut self, seq: u64, place: &Place) {
        let holds = |gap: &Finding| gap.records.is_some_and(|(first, last)| first <= seq && seq <= last);
        let Some(index) = self.gaps.iter().position(holds) else {
            return self.find(Fault::Repeated, place.clone(), Some((seq, seq)));
        };
        self.find(Fault::Moved, place.clone(), Some((seq, seq)));
        let gap = self.gaps.remove(index);
        if let Some((first, last)) = gap.records {
            let rests = [(first, seq.saturating_sub(1)), (seq + 1, last)];
            let rests = rests.into_iter().filter(|(from, to)| from <= to && !(*from..=*to).contains(&seq));
            self.gaps.extend(rests.map(|records| Finding { records: Some(records), ..gap.clone() }));
        }
    }

    fn end(&mut self, folder: &Folder, head: Option<&Head>) {
        self.beginning();
        match head {
            Some(head) => self.ending(folder, head),
            None if self.before.is_some() => {
                self.find(Fault::HeadLost, Place { file: folder.head().into(), line: 0 }, None);
            }
            None => {}
        }
        for gap in std::mem::take(&mut self.gaps) {
            self.find(gap.fault, gap.place, gap.records);
        }
        for kept in std::mem::take(&mut self.kept) {
            self.unmet(&kept, folder);
        }
        let last = self.next.as_ref().map(|next| next.seq.saturating_sub(1));
        self.report.range = self.first.as_ref().map(|(link, _)| link.seq).zip(last);
        let in_order = |finding: &Finding| (finding.records, finding.place.clone());
        self.report.findings.sort_by_key(in_order);
    }

    /// The log begins with record 1, or where retention says that it ended.
    fn beginning(&mut self) {
        let Some((link, place)) = self.first.clone() else { return };
        let follows = |last, hash: &str| last + 1 == link.seq && (hash == link.prev || link.prev == UNKNOWN);
        let is_taken = self.taken.iter().any(|(last, hash)| follows(*last, hash));
        if link == Link::first() || is_taken {
            return;
        }
        if link.seq <= 1 {
            return self.find(Fault::Changed, place, Some((link.seq, link.seq)));
        }
        let records = Some((1, link.seq - 1));
        self.gaps.push(Finding { fault: Fault::BeginningRemoved, place, records });
    }

    /// The log ends where its head says.
    fn ending(&mut self, folder: &Folder, head: &Head) {
        let log: Rc<Path> = folder.log().into();
        let end = self.next.clone().unwrap_or_else(Link::first);
        let last = self.last.clone().unwrap_or(Place { file: Rc::clone(&log), line: 0 });
        let loose = std::mem::take(&mut self.loose);
        let named = loose.iter().position(|(after, _)| *after == head.next);
        let missing = head.next.seq.saturating_sub(end.seq);
        let were_records = missing > 0 && missing == loose.len() as u64;
        for (index, (_, place)) in loose.into_iter().enumerate() {
            // Behind the end that the head knows, a line may be torn by a crash just now.
            let torn = named.is_some_and(|named| index <= named) || head.next == end;
            let seq = end.seq + index as u64;
            let records = were_records.then_some((seq, seq));
            self.find(if torn { Fault::Torn } else { Fault::Changed }, place, records);
        }
        if named.is_some() || head.next == end || were_records {
            return;
        }
        let before_end = end.seq.saturating_sub(1);
        if missing > 0 {
            let is_gone = !log.exists() && head.length > 0;
            let (fault, place) =
                if is_gone { (Fault::FileRemoved, Place { file: log, line: 0 }) } else { (Fault::Cut, last) };
            self.gaps.push(Finding { fault, place, records: Some((end.seq, head.next.seq - 1)) });
        } else if head.next.seq == end.seq {
            self.find(Fault::Changed, last, Some((before_end, before_end)));
        } else {
            self.find(Fault::Behind, last, Some((head.next.seq, before_end)));
        }
    }

    /// A kept head that no line answers to: retention may have taken its record away.
    fn unmet(&mut self, kept: &KeptHead, folder: &Folder) {
        let first = self.first.as_ref().map_or(u64::MAX, |(link, _)| link.seq);
        let is_taken = |(last, hash): &(u64, String)| *last == kept.seq && *hash == kept.hash;
        let (place, records) = (Place { file: folder.log().into(), line: 0 }, Some((kept.seq, kept.seq)));
        if self.taken.iter().any(is_taken) && kept.seq < first {
            return;
        }
        let is_older = self.taken.iter().any(|(last, _)| kept.seq < *last && *last < first);
        self.find(if is_older { Fault::KeptTooOld } else { Fault::OtherThanKept }, place, records);
    }

    fn find(&mut self, fault: Fault, place: Place, records: Option<(u64, u64)>) {
        if self.report.findings.len() < Report::MOST {
            self.report.findings.push(Finding { fault, place, records });
        } else {
            self.report.more += 1;
        }
    }
}

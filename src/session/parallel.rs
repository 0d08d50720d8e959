//! Work on all cores, results in the order of the work: for inputs too long to hold and for pipes that never
//! end.

use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

/// Most items that are handed over or taken at once: with small ones the locks would cost more than the work.
const GRASP: usize = 32;
/// Bytes of items that are handed over at once.
const ARMFUL: usize = 256 << 10;
/// Items under way, at most.
const ITEMS: usize = 4096;
/// Bytes of items under way, at most; a larger item goes alone.
const BYTES: usize = 8 << 20;

/// What a run shares between its threads.
struct Shared<T, R> {
    state: Mutex<State<T, R>>,
    /// Something is waiting, or the end has come: for workers.
    work: Condvar,
    /// The next result is there, or the end has come: for the caller.
    ready: Condvar,
    /// Results were handed over: for the reader.
    space: Condvar,
}

struct State<T, R> {
    /// Items that nobody has taken, with their numbers.
    waiting: VecDeque<(usize, T)>,
    /// A place for each item under way, in order, with its size; filled when its result is there.
    places: VecDeque<(usize, Option<R>)>,
    /// Number of the item that the first place belongs to.
    first: usize,
    /// Bytes of the items under way, and of those whose results are being handed over.
    bytes: usize,
    ended: bool,
    stopped: bool,
}

/// Runs `worker` over `items` on all cores and hands the results to `sink` in the order of the items: all
/// that are ready, never none, so that the caller can write them at once.
///
/// `items` is read on a thread of its own, which may block: results do not wait for it, and a run that `sink`
/// has ended does not either. `size` is what an item takes in memory, bytes. Each thread makes its own worker
/// with `workshop`. At most 4,096 items and 8 MB of them are under way, or a single larger one. Where the
/// system starts no more threads, those that run do the work, the caller's alone in the end.
///
/// The first error of `sink` ends the run and is returned. A panic of a worker or of `items` is passed on.
pub fn ordered<T, R, E, W>(
    items: impl Iterator<Item = T> + Send + 'static,
    size: impl Fn(&T) -> usize + Send + 'static,
    workshop: impl Fn() -> W + Sync,
    sink: impl FnMut(Vec<R>) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send + 'static,
    R: Send + 'static,
    W: FnMut(T) -> R,
{
    let shared = Arc::new(Shared::default());
    let feed = Arc::clone(&shared);
    // A thread that could not be started does not give back what it was to work on.
    let source = Arc::new(Mutex::new(Some(items)));
    let taken = Arc::clone(&source);
    let reader = Builder::new().spawn(move || {
        let _end = OnDrop(|| feed.end());
        if let Some(items) = take(&taken) {
            feed.put_all(items, size);
        }
    });
    match reader {
        Ok(reader) => {
            work(&shared, workshop, sink)?;
            reader.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok(())
        }
        Err(_) => alone(take(&source).into_iter().flatten(), workshop(), sink),
    }
}

fn take<T>(from: &Mutex<Option<T>>) -> Option<T> {
    from.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// One item after the other, where there is no second thread.
fn alone<T, R, E>(
    mut items: impl Iterator<Item = T>,
    mut worker: impl FnMut(T) -> R,
    mut sink: impl FnMut(Vec<R>) -> Result<(), E>,
) -> Result<(), E> {
    items.try_for_each(|item| sink(vec![worker(item)]))
}

/// Workers on all cores; their results for `sink`.
fn work<T, R, E, W>(
    shared: &Shared<T, R>,
    workshop: impl Fn() -> W + Sync,
    mut sink: impl FnMut(Vec<R>) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send,
    R: Send,
    W: FnMut(T) -> R,
{
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let _stop = OnDrop(|| shared.stop());
        let fill = || {
            // After a panic its result would be waited for in vain.
            let _stop = OnDrop(|| thread::panicking().then(|| shared.stop()));
            let mut worker = workshop();
            while shared.step(threads, &mut worker) {}
        };
        let started = (0..threads).filter(|_| Builder::new().spawn_scoped(scope, fill).is_ok()).count();
        let mut own = (started == 0).then(&workshop);
        loop {
            if let Some(worker) = &mut own {
                shared.step(threads, worker);
            }
            let Some((results, bytes)) = shared.next() else { break };
            sink(results)?;
            shared.free(bytes);
        }
        Ok(())
    })
}

impl<T, R> Default for Shared<T, R> {
    fn default() -> Self {
        let state = State {
            waiting: VecDeque::new(),
            places: VecDeque::new(),
            first: 0,
            bytes: 0,
            ended: false,
            stopped: false,
        };
        Self { state: Mutex::new(state), work: Condvar::new(), ready: Condvar::new(), space: Condvar::new() }
    }
}

impl<T, R> Shared<T, R> {
    fn state(&self) -> MutexGuard<'_, State<T, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits on `signal` while `idle`.
    fn wait(&self, signal: &Condvar, idle: impl Fn(&mut State<T, R>) -> bool) -> MutexGuard<'_, State<T, R>> {
        signal
            .wait_while(self.state(), |state| !state.stopped && idle(state))
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds items as they come, until nobody wants any more. Those that are at hand, as the iterator's lower
    /// bound says, are handed over together.
    fn put_all(&self, mut items: impl Iterator<Item = T>, size: impl Fn(&T) -> usize) {
        let (mut held, mut bytes) = (Vec::new(), 0);
        while let Some(item) = items.next() {
            let size = size(&item);
            bytes += size;
            held.push((size, item));
            let goes_on = items.size_hint().0 > 0 && held.len() < GRASP && bytes < ARMFUL;
            if !goes_on && !self.put(held.drain(..), std::mem::take(&mut bytes)) {
                break;
            }
        }
    }

    /// Adds items when there is room for them; false when nobody wants any more.
    fn put(&self, items: impl Iterator<Item = (usize, T)>, bytes: usize) -> bool {
        let full = |state: &mut State<T, R>| {
            state.places.len() + GRASP > ITEMS || state.bytes > 0 && state.bytes + bytes > BYTES
        };
        let mut state = self.wait(&self.space, full);
        if state.stopped {
            return false;
        }
        for (size, item) in items {
            let number = state.first + state.places.len();
            state.waiting.push_back((number, item));
            state.places.push_back((size, None));
        }
        state.bytes += bytes;
        self.work.notify_all();
        true
    }

    /// Neighbouring items for a worker, with the number of the first: fewer where others would stand idle.
    fn take(&self, threads: usize) -> Option<(usize, Vec<T>)> {
        let mut state = self.wait(&self.work, |state| state.waiting.is_empty() && !state.ended);
        let from = state.waiting.front().map(|(number, _)| *number).filter(|_| !state.stopped)?;
        let count = (state.waiting.len() / threads).clamp(1, GRASP);
        Some((from, state.waiting.drain(..count).map(|(_, item)| item).collect()))
    }

    /// Works on what is next for a worker; false at the end.
    fn step(&self, threads: usize, worker: impl FnMut(T) -> R) -> bool {
        let Some((from, items)) = self.take(threads) else { return false };
        self.fill(from, items.into_iter().map(worker).collect());
        true
    }

    fn fill(&self, from: usize, results: Vec<R>) {
        let mut state = self.state();
        let at = from.saturating_sub(state.first);
        for ((_, place), result) in state.places.iter_mut().skip(at).zip(results) {
            *place = Some(result);
        }
        self.ready.notify_one();
    }

    /// The results that are next in order, with the bytes of their items; none at the end.
    fn next(&self) -> Option<(Vec<R>, usize)> {
        let mut state = self.wait(&self.ready, |state| match state.places.front() {
            Some((_, place)) => place.is_none(),
            None => !state.ended,
        });
        let (mut results, mut bytes) = (Vec::new(), 0);
        let count = state.places.iter().take_while(|(_, place)| place.is_some()).count();
        for (size, result) in state.places.drain(..count) {
            results.extend(result);
            bytes += size;
        }
        state.first += count;
        (!results.is_empty() && !state.stopped).then_some((results, bytes))
    }

    fn free(&self, bytes: usize) {
        self.state().bytes -= bytes;
        self.space.notify_one();
    }

    /// There will be no more items.
    fn end(&self) {
        self.state().ended = true;
        self.work.notify_all();
        self.ready.notify_one();
    }

    /// Nobody wants any more results.
    fn stop(&self) {
        self.state().stopped = true;
        for signal in [&self.work, &self.ready, &self.space] {
            signal.notify_all();
        }
    }
}

/// Does something at the end of a block, also when it ends by a panic.
struct OnDrop<T, F: FnMut() -> T>(F);

impl<T, F: FnMut() -> T> Drop for OnDrop<T, F> {
    fn drop(&mut self) {
        let _ = self.0();
    }
}

#[cfg(test)]
mod tests {
    use super::ordered;
    use std::panic::catch_unwind;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::sync::{Arc, Barrier};

    /// Runs `worker` over items of one byte and collects.
    fn run<R: Send + 'static>(
        items: impl Iterator<Item = usize> + Send + 'static,
        worker: impl Fn(usize) -> R + Sync,
    ) -> Vec<R> {
        let mut out = Vec::new();
        let Ok(()) = ordered(
            items,
            |_| 1,
            || &worker,
            |results| {
                assert!(!results.is_empty());
                out.extend(results);
                Ok::<(), std::convert::Infallible>(())
            },
        );
        out
    }

    #[test]
    fn results_come_in_the_order_of_the_items_however_long_each_takes() {
        let slow_ones = |item: usize| {
            for _ in 0..item % 7 * 300 {
                std::hint::black_box(item);
            }
            item * 2
        };
        assert_eq!(run(0..20_000, slow_ones), (0..20_000).map(|item| item * 2).collect::<Vec<_>>());
        assert_eq!(run(0..0, slow_ones), Vec::<usize>::new());
        assert_eq!(run(5..6, slow_ones), [10]);
    }

    #[test]
    fn a_result_is_handed_over_before_the_next_item_is_there() {
        let (ask, asked) = mpsc::channel();
        ask.send(1).unwrap();
        let mut ask = Some(ask);
        let mut out = Vec::new();
        // Each item is sent only when the result of the one before has come.
        let done: Result<(), ()> = ordered(
            asked.into_iter(),
            |_| 1,
            || |item: usize| item,
            |results| {
                out.extend(results);
                match &ask {
                    Some(sender) if out.len() < 5 => sender.send(out.len() + 1).unwrap(),
                    _ => ask = None,
                }
                Ok(())
            },
        );
        assert_eq!((done, out), (Ok(()), vec![1, 2, 3, 4, 5]));
    }

    #[test]
    fn an_error_of_the_sink_ends_the_run_though_the_reader_still_blocks() {
        let (keep_open, items) = mpsc::channel();
        keep_open.send(7).unwrap();
        let ended: Result<(), Vec<i32>> = ordered(items.into_iter(), |_| 1, || |item: i32| item, Err);
        assert_eq!(ended, Err(vec![7]));
        drop(keep_open);
    }

    #[test]
    fn no_more_is_read_than_may_be_under_way() {
        let read = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&read);
        let items = (0..100usize).inspect(move |_| {
            count.fetch_add(1, Ordering::SeqCst);
        });
        let mut most = 0;
        let mut done = 0;
        let megabytes = |_: &usize| 3 << 20;
        let Ok(()) = ordered(
            items,
            megabytes,
            || |item| item,
            |results: Vec<usize>| {
                most = most.max(read.load(Ordering::SeqCst) - done);
                done += results.len();
                Ok::<(), std::convert::Infallible>(())
            },
        );
        // Two of three megabytes go into eight; the reader holds a third in its hand.
        assert_eq!(done, 100);
        assert!(most <= 3, "{most}");
    }

    #[test]
    fn several_threads_work_at_once() {
        let threads = std::thread::available_parallelism().unwrap().get();
        let together = Barrier::new(threads);
        // Each worker waits for all others with its first item: with fewer threads this would never end.
        let mut out = Vec::new();
        let workshop = || {
            let mut first = true;
            let together = &together;
            move |item: usize| {
                if std::mem::take(&mut first) {
                    together.wait();
                }
                item
            }
        };
        let Ok(()) = ordered(
            0..threads * 100,
            |_| 1,
            workshop,
            |results| {
                out.extend(results);
                Ok::<(), std::convert::Infallible>(())
            },
        );
        assert_eq!(out, (0..threads * 100).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_is_passed_on_and_nobody_waits_for_ever() {
        let worker = catch_unwind(|| run(0..10_000, |item| assert!(item != 4_321, "worker")));
        assert!(worker.is_err());
        let reader =
            catch_unwind(|| run((0..10_000).inspect(|item| assert!(*item != 4_321, "reader")), |item| item));
        assert!(reader.is_err());
    }
}

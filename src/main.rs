//! The program; everything is in the library.

// Half of the work on a long file of small responses is small allocations on several threads. Visual C++
// cannot build this allocator: there the system's is used, and memory is not measured.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[cfg(not(target_env = "msvc"))]
mod held {
    use tikv_jemalloc_ctl::thread::{ThreadLocal, allocatedp, deallocatedp};

    thread_local! {
        static COUNTS: Option<[ThreadLocal<u64>; 2]> =
            allocatedp::read().and_then(|given| Ok([given, deallocatedp::read()?])).ok();
    }

    /// Bytes that the thread at hand has allocated and not given back.
    pub fn by_thread() -> i64 {
        COUNTS.with(|counts| {
            counts.as_ref().map_or(0, |[given, back]| given.get().wrapping_sub(back.get()) as i64)
        })
    }
}

fn main() -> std::process::ExitCode {
    #[cfg(not(target_env = "msvc"))]
    citescope::memory::measured_by(held::by_thread);
    citescope::cli::main()
}

//! The program; everything is in the library.

// Half of the work on a long file of small responses is small allocations on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    citescope::cli::main()
}

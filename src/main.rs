use citescope::pipeline::Collection;
fn main(){ for a in std::env::args().skip(1) { let c=Collection::open_file(a.as_ref()); for f in &c.failures {println!("FAIL {f}");}
 for k in 0..c.records.len() { match c.analyse(k) { Ok(x)=> for i in 0..x.responses.len() { println!("{}", citescope::export::json::response(&x,i,false)); }, Err(e)=>println!("ERR {e}") } } } }

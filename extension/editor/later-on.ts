/** Runs it after so many milliseconds; gives what cancels it. */
export function laterOn(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

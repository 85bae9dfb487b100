/** The known names nearest to a wrong one, best first; none where nothing is near. Long input is cut: a name is no document. */
export function closestNames(wrong: string, known: readonly string[], limit = 3): readonly string[] {
  const word = wrong.slice(0, 80).toLowerCase();
  if (word === '') return [];
  return known
    .map((name) => ({ name, distance: distance(word, name.slice(0, 80).toLowerCase()) }))
    .filter(({ name, distance: d }) => d <= Math.max(2, Math.floor(Math.max(word.length, Math.min(name.length, 80)) / 2.5)))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Levenshtein's distance with transpositions of neighbours; words joined otherwise (`file_path`, `filePath`) count as near. */
function distance(a: string, b: string): number {
  const bare = (text: string): string => text.replaceAll(/[-_ ]/g, '');
  if (bare(a) === bare(b)) return 0.5;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

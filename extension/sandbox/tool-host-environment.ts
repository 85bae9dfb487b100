/** What a tool host may inherit: where things are and how text looks. No key, token or option of ours is named like one of these. */
const inherited: ReadonlySet<string> = new Set([
  'PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR',
  // Windows cannot start a program without these.
  'SYSTEMROOT', 'WINDIR', 'PATHEXT', 'COMSPEC', 'USERPROFILE', 'TEMP', 'TMP',
]);

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a tool host: what is allowed through of ours, and what makes an editor's own executable behave as Node. */
export function toolHostEnvironment(ours: Environment): Environment {
  const kept = Object.entries(ours).filter(([name]) => inherited.has(name.toUpperCase()));
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1' };
}

/** Why writing at a path never goes below `ask`: what stands there is executed or obeyed by something else. */
export function protectedReason(path: string): string | null {
  const parts = path.split(/[\\/]/).map(plainName);
  for (const part of parts) {
    const reason = folders.get(part) ?? (/^git~\d$/.test(part) ? folders.get('.git') : undefined);
    if (reason !== undefined) return reason;
  }
  const name = parts.at(-1) ?? '';
  if (name.endsWith('.code-workspace')) return 'a workspace file: the editor obeys it';
  if (/^copilot-instructions(\..*)?\.md$/.test(name) || /\.(?:instructions|prompt|chatmode|agent)\.md$/.test(name)) return instructions;
  return files.get(name) ?? null;
}

/** As the laxest file system compares names: without case, trailing dots, stream suffixes and characters that nobody sees. */
function plainName(part: string): string {
  return part.normalize('NFKC').replaceAll(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '').toLowerCase().replace(/:.*$/, '').replace(/[. ]+$/, '');
}

const instructions = 'instructions that agents obey';
const mcp = 'configuration of MCP servers: it starts programs';
const shell = 'a shell start-up file: every new shell runs it';
const packages = 'configuration of a package manager: it can run code and change where packages come from';

const folders = new Map<string, string>([
  ['.vscode', 'the editor obeys what stands in .vscode'],
  ['.git', 'git runs hooks and configuration in .git'],
  ['.idea', 'the editor obeys what stands in .idea'],
  ['.devcontainer', 'what stands in .devcontainer is run when the container starts'],
  ['.husky', 'git hooks are run from .husky'],
  ['.countersign', 'our own policy'],
  ...['.cursor', '.claude', '.clinerules', '.roo', '.continue', '.codex', '.gemini', '.kilocode', '.windsurf', '.agents', '.amazonq'].map((name): [string, string] => [name, instructions]),
]);

const files = new Map<string, string>([
  ...['agents.md', 'agent.md', 'claude.md', 'claude.local.md', 'gemini.md', '.cursorrules', '.windsurfrules', '.clinerules', '.roorules', '.goosehints', '.rules', '.aider.conf.yml', 'skill.md']
    .map((name): [string, string] => [name, instructions]),
  ...['.mcp.json', 'mcp.json', 'mcp_config.json', 'mcp-config.json', 'mcp_settings.json', 'cline_mcp_settings.json', 'claude_desktop_config.json'].map((name): [string, string] => [name, mcp]),
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login',
    '.inputrc', 'config.fish', '.envrc', 'profile.ps1', 'microsoft.powershell_profile.ps1'].map((name): [string, string] => [name, shell]),
  ...['.npmrc', '.yarnrc.yml', '.yarnrc', '.pnpmfile.cjs', '.pnpmfile.mjs', 'bunfig.toml'].map((name): [string, string] => [name, packages]),
  ['.gitconfig', 'configuration of git: it can run programs'],
  ['.gitmodules', 'configuration of git: it names what is fetched'],
  ['countersign.json', 'our own policy'],
]);

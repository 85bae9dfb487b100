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
  if (isEditorSettings(parts)) return 'settings of the editor: our own policy is among them, and so is what it runs';
  return files.get(name) ?? null;
}

/** `…/Code/User/settings.json` and its kind, where the home folder or one above it is the workspace; also of a server, and of a profile. */
function isEditorSettings(parts: readonly string[]): boolean {
  if (!/^(?:settings|tasks|keybindings|launch|mcp|extensions)\.json$/.test(parts.at(-1) ?? '')) return false;
  const above = parts.at(-3) === 'profiles' ? parts.slice(0, -3) : parts.slice(0, -1);
  return (above.at(-1) === 'user' || above.at(-1) === 'machine') && above.some((part) => editorHomes.has(part));
}

const editorHomes: ReadonlySet<string> = new Set(['.config', 'appdata', 'application support', '.local', '.vscode-server', '.vscode-server-insiders', '.vscode-remote', '.cursor-server']);

/** As the laxest file system compares names: without case, trailing dots, stream suffixes and characters that nobody sees. */
function plainName(part: string): string {
  return part.normalize('NFKC').replaceAll(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '').toLowerCase().replace(/:.*$/, '').replace(/[. ]+$/, '');
}

export const ownPolicy = 'our own policy';
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
  ['.countersign', ownPolicy],
  ...['.cursor', '.claude', '.clinerules', '.roo', '.continue', '.codex', '.gemini', '.kilocode', '.windsurf', '.agents', '.amazonq', '.kiro', '.junie', '.trae', '.augment', '.opencode', '.qwen'].map((name): [string, string] => [name, instructions]),
]);

const files = new Map<string, string>([
  ...['agents.md', 'agent.md', 'claude.md', 'claude.local.md', 'gemini.md', 'qwen.md', 'agents.override.md', '.cursorrules', '.windsurfrules', '.clinerules', '.roorules', '.goosehints', '.rules', '.aider.conf.yml', '.augment-guidelines', 'opencode.json', 'opencode.jsonc', 'skill.md']
    .map((name): [string, string] => [name, instructions]),
  ...['.mcp.json', 'mcp.json', 'mcp_config.json', 'mcp-config.json', 'mcp_settings.json', 'cline_mcp_settings.json', 'claude_desktop_config.json'].map((name): [string, string] => [name, mcp]),
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login',
    '.inputrc', 'config.fish', '.envrc', 'profile.ps1', 'microsoft.powershell_profile.ps1'].map((name): [string, string] => [name, shell]),
  ...['.npmrc', '.yarnrc.yml', '.yarnrc', '.pnpmfile.cjs', '.pnpmfile.mjs', 'bunfig.toml'].map((name): [string, string] => [name, packages]),
  ['.gitconfig', 'configuration of git: it can run programs'],
  ['.gitmodules', 'configuration of git: it names what is fetched'],
  ['countersign.json', ownPolicy],
]);

import type { Effect } from './effect.ts';

/** An effect in words, exact: `write /w/a.ts`. */
export function inWords(effect: Effect): string {
  switch (effect.kind) {
    case 'read':
      return effect.extent === 'tree' ? `read everything below ${effect.path}` : `read ${effect.path}`;
    case 'write':
      return `${effect.base === 'absent' ? 'create' : 'write'} ${effect.path}`;
    case 'delete':
      return `delete ${effect.path}`;
    case 'move':
      return `move ${effect.from} to ${effect.to}`;
    case 'run':
      return `run ${[effect.program, ...effect.argv].join(' ')} in ${effect.cwd}`;
    case 'process':
      return `${effect.op} the process ${effect.id}`;
    case 'fetch':
      return `fetch ${asSent(effect.url)}`;
    case 'mcp':
      return `call ${effect.tool} of the MCP server ${effect.server}`;
    case 'converse':
      return { ask: 'ask the person', plan: 'show the plan', tools: 'look for tools' }[effect.op];
  }
}

/** The address as it goes out: a host of letters that look like others is written as the network has it, `xn--…`. */
function asSent(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

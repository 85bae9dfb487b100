import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolHostEnvironment } from '../../../extension/sandbox/tool-host-environment.ts';

test('a tool host inherits where things are, and no secret, option or editor variable', () => {
  assert.deepEqual(
    toolHostEnvironment({
      PATH: '/bin', HOME: '/home/a', LANG: 'C.UTF-8', OPENAI_API_KEY: 'k', GITHUB_TOKEN: 't', NODE_OPTIONS: '--require /tmp/x.js', LD_PRELOAD: '/tmp/x.so',
      VSCODE_IPC_HOOK: '/run/x', ELECTRON_RUN_AS_NODE: '0', SSH_AUTH_SOCK: '/run/y', PATHOLOGY: 'x',
    }),
    { PATH: '/bin', HOME: '/home/a', LANG: 'C.UTF-8', ELECTRON_RUN_AS_NODE: '1' },
  );
});

test('names are compared as Windows writes them', () => {
  assert.deepEqual(toolHostEnvironment({ Path: 'C:\\Windows', SystemRoot: 'C:\\Windows' }), {
    Path: 'C:\\Windows', SystemRoot: 'C:\\Windows', ELECTRON_RUN_AS_NODE: '1',
  });
});

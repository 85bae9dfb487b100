/** The codicons that the view draws, by the names of their files; the style holds these and no others. */
export const iconNames = [
  'arrow-down', 'arrow-right', 'arrow-up', 'attach', 'beaker', 'book', 'check', 'chevron-down', 'chevron-right', 'circle-large', 'circle-slash',
  'close', 'comment', 'copy', 'debug-disconnect', 'debug-stop', 'diff', 'discard', 'edit', 'error', 'eye', 'folder-opened', 'info', 'key',
  'lightbulb', 'loading', 'lock', 'pass-filled', 'play', 'question', 'refresh', 'search', 'settings-gear', 'shield', 'warning', 'watch',
] as const;

export type IconName = typeof iconNames[number];

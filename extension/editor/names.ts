/** Names that package.json and the code must agree on; a test holds them together. */
export const viewId = 'countersign.chat';
export const proposedScheme = 'countersign-proposed';
export const baseScheme = 'countersign-base';
export const contextScheme = 'countersign-context';

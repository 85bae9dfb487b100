/** JSON Schemas (2020-12) of the two message unions. Compiled ahead for both ends; the view's CSP forbids compiling there. */
export declare const hostMessageSchema: object;
export declare const viewMessageSchema: object;

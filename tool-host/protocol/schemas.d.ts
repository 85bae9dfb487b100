export declare const paramsSchemas: {
    readonly initialize: object;
    readonly ping: object;
};
export declare const resultSchemas: {
    readonly initialize: object;
    readonly ping: object;
};

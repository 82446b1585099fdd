export function listTexts(catalogue: object, prefix?: string): [key: string, text: string][];

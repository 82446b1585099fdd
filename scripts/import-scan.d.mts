export type FoundImport = {target: string | undefined; typeOnly: boolean; line: number};

export function scanSource(text: string): {code: string; imports: FoundImport[]};

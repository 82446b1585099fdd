export type Violation = {file: string; line: number; message: string};

export function checkLayers(folder: string): {files: number; violations: Violation[]};

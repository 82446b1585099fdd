import type {Violation} from './layer-rules.mjs';

export function checkWebLayers(folder: string): {files: number; violations: Violation[]};

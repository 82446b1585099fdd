import type {Total} from './flaky.d.mts';

export function addReport(total: Total, result: object, code: number, args: readonly string[]): void;

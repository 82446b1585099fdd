import type {Problem} from '../api/problem.ts';

/** The service's validation error for one of these fields, or for a part of it. */
export function fieldErrorDetail(
  problem: Problem | undefined,
  ...names: readonly string[]
): string | undefined {
  const isThere = (pointer = ''): boolean =>
    names.some((name) => pointer === `#/${name}` || pointer.startsWith(`#/${name}/`));
  return problem?.errors.find(({pointer}) => isThere(pointer))?.detail;
}

import {useMutation} from '@tanstack/react-query';
import type {Problem} from '../api/problem.ts';
import {wrapAsProblem} from './as-problem.ts';

/** A change with its progress. `run` never throws: it returns the result, or sets `problem`. */
export function useAction<Given = void, Answer = unknown>(
  mutationFn: (given: Given) => Promise<Answer>,
): {
  readonly run: (given: Given) => Promise<Answer | undefined>;
  readonly isPending: boolean;
  readonly problem: Problem | undefined;
  readonly reset: () => void;
} {
  const {mutateAsync, isPending, error, reset} = useMutation({mutationFn});
  const run = async (given: Given): Promise<Answer | undefined> => {
    try {
      return await mutateAsync(given);
    } catch {
      return undefined;
    }
  };
  return {run, isPending, problem: error === null ? undefined : wrapAsProblem(error), reset};
}

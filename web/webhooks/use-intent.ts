import {newKey} from '../api/new-key.ts';
import {useRef} from 'react';
import {useAction} from '../parts/use-action.ts';

/**
 * A change that is made once however often it is pressed: a press while one is under way does nothing, and
 * one after a lost answer repeats it with the same key. `renew`: something else is meant from now on.
 */
export function useIntent<Given = void, Answer = unknown>(
  send: (key: string, given: Given) => Promise<Answer>,
) {
  const key = useRef(newKey());
  const isUnderWay = useRef(false);
  const action = useAction((given: Given) => send(key.current, given));

  function renew(): void {
    key.current = newKey();
  }

  async function run(given: Given): Promise<Answer | undefined> {
    if (isUnderWay.current) return undefined;
    isUnderWay.current = true;
    const answer = await action.run(given);
    isUnderWay.current = false;
    if (answer !== undefined) key.current = newKey();
    return answer;
  }

  return {...action, run, renew};
}

import {newKey} from '../api/new-key.ts';
import {useRef} from 'react';
import {useAction} from '../parts/use-action.ts';

/**
 * A change made once, however often its button is pressed: presses during the request are ignored, and a
 * press after a lost response repeats it with the same key. `renew`: the next press means another change.
 */
export function useSingleAction<Given = void, Answer = unknown>(
  send: (key: string, given: Given) => Promise<Answer>,
) {
  const key = useRef(newKey());
  const isUnderWay = useRef(false);
  const action = useAction((given: Given) => send(key.current, given));

  function renew(): void {
    key.current = newKey();
  }

  async function runOnce(given: Given): Promise<Answer | undefined> {
    if (isUnderWay.current) return undefined;
    isUnderWay.current = true;
    const answer = await action.run(given);
    isUnderWay.current = false;
    if (answer !== undefined) key.current = newKey();
    return answer;
  }

  return {...action, run: runOnce, renew};
}

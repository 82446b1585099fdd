import {newKey} from '../api/new-key.ts';
import {useRef} from 'react';
import {useAction} from '../parts/use-action.ts';

/**
 * Makes a change once, however often its button is pressed. Presses during the request are ignored; a press
 * after a lost response repeats the request with the same key. After `renew`, the next press makes another
 * change.
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

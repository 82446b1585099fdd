import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {meQuery} from '../../api/queries.ts';
import type {EmojiCount} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import type {Problem} from '../../api/problem.ts';
import {wrapAsProblem} from '../as-problem.ts';
import {putThread} from './put-thread.ts';
import {changeOwnEmoji} from './reactions.ts';

interface Press {
  readonly emoji: string;
  readonly isAdded: boolean;
}

/** The reactions to a standup. A press is shown at once, and taken back if the service refuses it. */
export function useReactions(
  id: string,
  reactions: EmojiCount[],
): {
  readonly shown: EmojiCount[];
  readonly change: (emoji: string, isAdded: boolean) => void;
  readonly problem: Problem | undefined;
  readonly retry: () => void;
} {
  const name = useQuery(meQuery).data?.principal.name ?? '';
  const [pending, setPending] = useState<readonly Press[]>([]);
  const [refused, setRefused] = useState<{readonly press: Press; readonly problem: Problem}>();

  async function sendPress(press: Press): Promise<void> {
    const {emoji, isAdded} = press;
    setRefused(undefined);
    setPending((others) => [...others, press]);
    try {
      const body = isAdded ? {subject: id, add: [emoji]} : {subject: id, remove: [emoji]};
      const answer = await send('post', '/v1/reactions', {body});
      putThread(id, (now) => ({...now, reactions: answer.reactions}));
    } catch (error) {
      setRefused({press, problem: wrapAsProblem(error)});
    } finally {
      setPending((others) => others.filter((one) => one !== press));
    }
  }

  return {
    shown: pending.reduce<EmojiCount[]>(
      (now, {emoji, isAdded}) => changeOwnEmoji(now, emoji, isAdded, name),
      reactions,
    ),
    change: (emoji, isAdded) => void sendPress({emoji, isAdded}),
    problem: refused?.problem,
    retry: () => void (refused && sendPress(refused.press)),
  };
}

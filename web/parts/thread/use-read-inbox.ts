import {useQuery} from '@tanstack/react-query';
import {useEffect} from 'react';
import {invalidate} from '../../api/queries.ts';
import type {Me} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {unreadInboxQuery} from '../inbox-queries.ts';

/**
 * Marks the item of a standup as read once its comments are shown. What happened after the item was read from the
 * service stays unread until the comments are read again.
 */
export function useReadInbox(standup: string, me: Me, isShown: boolean): void {
  const {data} = useQuery({...unreadInboxQuery, enabled: isShown && (me.inbox?.unread ?? 0) > 0});
  const until = data?.data.find((item) => item.standup === standup)?.latest.sequence;
  useEffect(() => {
    if (until === undefined || !isShown) return;
    // If it fails, the item stays unread, and the next visit tries again.
    void send('post', '/v1/inbox/read', {body: {standups: [standup], until}}).then(
      () => invalidate('inbox_item'),
      () => undefined,
    );
  }, [standup, until, isShown]);
}

import {infiniteQueryOptions} from '@tanstack/react-query';
import {readPagesQuery, readQuery} from '../api/read.ts';
import type {MailStateName} from './states.ts';

export const mailsQuery = (state: MailStateName | undefined) =>
  infiniteQueryOptions({
    ...readPagesQuery('listMails', '/v1/mails', {limit: 50, state}),
    // No event says that a mail was sent.
    refetchInterval: ({state: {data}}) =>
      data?.pages.some((page) => page.data.some((mail) => mail.state === 'queued')) ? 3_000 : false,
  });

export const mailQuery = (mail: string) => readQuery('getMail', '/v1/mails/{mail}', {mail});

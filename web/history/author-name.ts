import {queryOptions, useQuery} from '@tanstack/react-query';
import {meQuery} from '../api/queries.ts';
import {read} from '../api/read.ts';
import {texts} from '../texts/texts.ts';

/** Reads a name from a standup, as every reader may; for people without standups, from the members list. */
const authorNameQuery = (author: string) =>
  queryOptions({
    queryKey: ['authorName', {author}],
    queryFn: async ({signal}) => {
      const written = await read('/v1/standups', {author, limit: 1}, signal);
      const name = written.data[0]?.author.name;
      if (name !== undefined) return name;
      return (await read('/v1/members/{member}', {member: author}, signal)).name;
    },
  });

/** Returns the author's name for a filter, or the author's id when no name is known. */
export function useAuthorName(author: string): string {
  const me = useQuery(meQuery).data?.principal.id;
  const isMe = author === 'me' || author === me;
  const {data: name} = useQuery({...authorNameQuery(author), enabled: author !== '' && !isMe});
  return isMe ? texts.history.filters.me : (name ?? author);
}

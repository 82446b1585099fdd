import {useQuery} from '@tanstack/react-query';
import {readQuery} from '../api/read.ts';
import {texts} from '../texts/texts.ts';

/** Says which permissions the bot lacks to take replies. Without an answer of Slack it says nothing. */
export function MissingReplyScopes() {
  const {data} = useQuery(readQuery('getSlackConnection', '/v1/slack', {}));
  const missing = data?.missing_optional_scopes.filter((scope) => scope.endsWith(':history')) ?? [];
  if (missing.length === 0) return null;
  return <p className="text-quiet">{texts.team.slack.repliesLack({scopes: missing.join(', ')})}</p>;
}

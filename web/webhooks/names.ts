import type {Webhook} from '../api/schema.ts';
import {texts} from '../texts/texts.ts';

export function nameWebhook({description, url}: Pick<Webhook, 'description' | 'url'>): string {
  return description ?? readHost(url);
}

function readHost(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

const mostNamed = 4;

/** Names the event types of a webhook, such as `standup.*, team.created and 3 more`. */
export function describeEventTypes({events}: Pick<Webhook, 'events'>): string {
  const t = texts.webhooks;
  if (events.includes('*')) return t.everyEvent;
  const named = events.slice(0, mostNamed).join(', ');
  const more = events.length - mostNamed;
  return more > 0 ? `${named} ${t.moreEvents({more})}` : named;
}

import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import type {ReactNode} from 'react';
import {Problem} from '../api/problem.ts';
import type {Event} from '../api/schema.ts';
import {copyText} from '../parts/copy-text.ts';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {formatExact} from '../texts/format-exact.ts';
import {texts} from '../texts/texts.ts';
import {ChangedFields} from './changed-fields.tsx';
import {Deliveries} from './deliveries.tsx';
import {describeEvent} from './facts.ts';
import {findActorName, nameOfSource} from './names.ts';
import {ObjectLink} from './object-link.tsx';
import {eventQuery} from './queries.ts';
import {SameSubject} from './same-subject.tsx';
import {useEventNames} from './use-names.ts';

/** The details of an event: actor, channel, changes, JSON, and other events of the same object. */
export function Inspector({id}: {readonly id: string}) {
  const {data: event, error, refetch} = useQuery(eventQuery(id));
  if (error instanceof Problem && error.status === 404) {
    return <Empty icon="event" {...texts.events.inspector.gone} />;
  }
  if (error !== null) return <ProblemNote onRetry={refetch} problem={error} />;
  return event === undefined ? <Skeleton height={360} /> : <EventDetails event={event} />;
}

function EventDetails({event}: {readonly event: Event}) {
  const t = texts.events.inspector;
  const names = useEventNames([event]);
  const body = JSON.stringify(event, undefined, 2);
  const about = event.data === null ? undefined : event.data['id'];
  return (
    <div className="grid min-w-0 gap-5 *:min-w-0 [&_h3]:mb-2 [&_h3]:font-semibold">
      <p className="text-lg font-semibold" dir="auto">
        {describeEvent(event, names)}
      </p>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <ObjectLink event={event} />
        <Button
          icon="link"
          kind="quiet"
          onPress={() => void copyText(location.href, texts.events.inspector.copied)}
          size="small"
        >
          {t.copyLink}
        </Button>
      </p>
      <dl className="grid gap-1.5 [&_a]:inline-block [&_a]:min-h-6 [&_code]:text-xs/5">
        <Fact name={t.when}>
          <time dateTime={event.timestamp}>{formatExact(event.timestamp)}</time>
        </Fact>
        <Fact name={t.actor}>
          <Actor
            event={event}
            name={event.actor === null ? t.unknownActor : findActorName(event.actor, names)}
          />
        </Fact>
        {event.actor !== null && <Fact name={t.how}>{nameOfSource(event.actor.source)}</Fact>}
        {typeof event.actor?.token === 'string' && (
          <Fact name={t.token}>
            <EventsByActorLink actor={event.actor.token}>
              <code>{event.actor.token}</code>
            </EventsByActorLink>
          </Fact>
        )}
        <Fact name={t.request}>
          <RequestId id={event.actor?.request_id ?? null} />
        </Fact>
        <Fact name={t.sequence}>{event.sequence}</Fact>
      </dl>
      {event.previous_attributes !== undefined && <ChangedFields event={event} />}
      <section>
        <h3>{t.body}</h3>
        <div className="relative">
          <pre
            className="rounded-lg bg-inset py-3 pr-12 pl-3 text-left text-xs whitespace-pre-wrap"
            dir="ltr"
          >
            {body}
          </pre>
          <div className="absolute end-1 top-1 flex">
            <IconButton
              icon="copy"
              label={t.copyBody}
              onPress={() => void copyText(body, texts.events.inspector.copied)}
            />
          </div>
        </div>
      </section>
      <Deliveries event={event.id} />
      {typeof about === 'string' && <SameSubject about={about} event={event} />}
    </div>
  );
}

function Fact({name, children}: {readonly name: string; readonly children: ReactNode}) {
  return (
    <div className="grid grid-cols-[104px_minmax(0,1fr)] items-baseline gap-3">
      <dt className="text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Actor({event: {actor}, name}: {readonly event: Event; readonly name: string}) {
  if (actor === null) return name;
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      {actor.type === 'member' && actor.id !== null ? (
        <Link params={{member: actor.id}} to="/people/$member">
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <bdi>{name}</bdi>
      )}
      <EventsByActorLink actor={actor.id ?? actor.type}>
        <span className="text-xs/5">{texts.events.inspector.onlyBy({name})}</span>
      </EventsByActorLink>
    </span>
  );
}

/** Links to a list of only those events that this actor or token caused. */
function EventsByActorLink({actor, children}: {readonly actor: string; readonly children: ReactNode}) {
  return (
    <Link search={(now) => ({...now, actor})} to="/events">
      {children}
    </Link>
  );
}

function RequestId({id}: {readonly id: string | null}) {
  const t = texts.events.inspector;
  if (id === null) return <span className="text-quiet">{t.noRequest}</span>;
  return (
    <span className="inline-flex items-center gap-1">
      <code>{id}</code>
      <IconButton
        icon="copy"
        label={t.copyRequest}
        onPress={() => void copyText(id, texts.events.inspector.copied)}
        size="small"
      />
    </span>
  );
}

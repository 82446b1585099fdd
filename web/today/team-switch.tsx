import {lazy, Suspense, useId, useRef, useState} from 'react';
import {Icon} from '../parts/icon.tsx';
import {usePanelClosing} from '../parts/use-panel-closing.ts';
import {texts} from '../texts/texts.ts';

const TeamList = lazy(async () => ({default: (await import('./team-list.tsx')).TeamList}));

export function TeamSwitch({
  team,
  name,
  isLoading,
}: {
  readonly team: string;
  readonly name: string;
  readonly isLoading: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const panel = useId();
  usePanelClosing(container, isOpen, () => setOpen(false));
  return (
    <div className="relative" ref={container}>
      <h1>
        <button
          aria-controls={isOpen ? panel : undefined}
          aria-expanded={isOpen}
          className="-mx-2 inline-flex min-h-8 max-w-full cursor-pointer items-center gap-1.5 rounded-lg px-2 text-start tracking-[-0.015em] hover:bg-ink/7 aria-expanded:bg-ink/7 *:[svg]:flex-none *:[svg]:text-quiet"
          onClick={() => setOpen(!isOpen)}
          title={texts.today.team.switch}
          type="button"
        >
          <bdi
            className="data-loading:rounded-sm data-loading:bg-inset data-loading:text-transparent"
            data-loading={isLoading || undefined}
          >
            {name}
          </bdi>
          <Icon name="chevron-down" />
        </button>
      </h1>
      {isOpen && (
        <div
          className="absolute -start-2 top-[calc(100%+4px)] z-20 max-h-[min(420px,70vh)] w-[min(320px,calc(100vw-32px))] overflow-y-auto rounded-lg border border-line bg-card p-2 shadow-pop"
          id={panel}
        >
          <Suspense>
            <TeamList current={team} onChoose={() => setOpen(false)} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

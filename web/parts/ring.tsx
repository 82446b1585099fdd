import {type ReactNode, useState} from 'react';
import {findStatusColour} from './status-colour.ts';
import {findStatusName} from './status-mark.tsx';
import styles from './ring.module.css';

const centre = 60;
const radius = 53;
const arrived: readonly string[] = ['posted', 'late'];

/** A ring with one arc per person, clockwise from the top; thick once the person has posted. */
export function Ring({
  people,
  label,
  children,
}: {
  readonly people: readonly {readonly status: string; readonly name: string}[];
  /** The same information as text for screen readers. */
  readonly label: string;
  readonly children?: ReactNode | undefined;
}) {
  const present = people.filter(({status}) => arrived.includes(status)).length;
  const [atFirst] = useState(present);
  const share = 360 / people.length;
  const gap = people.length < 2 ? 0 : Math.min(2, share * 0.25);
  return (
    <div className="relative size-[var(--ring,120px)] flex-none">
      {/* Even and odd counts use two names for one animation, since a new name restarts it. */}
      <svg
        aria-label={label}
        className={`block size-full overflow-visible ${styles['arcs']}`}
        data-tick={present > atFirst ? present % 2 : undefined}
        role="img"
        viewBox="0 0 120 120"
      >
        <circle className="fill-none stroke-inset stroke-1" cx={centre} cy={centre} r={radius} />
        {people.map(({status, name}, index) => (
          <path
            className="fill-none stroke-4 transition-[stroke,stroke-width] duration-200 data-arrived:stroke-10 motion-reduce:transition-none"
            d={computeArcPath(index * share + gap / 2, (index + 1) * share - gap / 2)}
            data-arrived={arrived.includes(status) || undefined}
            // Two people may have the same name; the index distinguishes them.
            key={`${index} ${name}`}
            style={{stroke: findStatusColour(status)}}
          >
            <title>{`${name}: ${findStatusName(status)}`}</title>
          </path>
        ))}
      </svg>
      <div className="pointer-events-none absolute inset-3.5 grid place-content-center justify-items-center text-center">
        {children}
      </div>
    </div>
  );
}

/** SVG path of an arc, in degrees. A full circle is two halves: an arc cannot end at its start. */
function computeArcPath(from: number, to: number): string {
  if (to - from > 180) return `${computeArcPath(from, 180)}${computeArcPath(180, to).replace(/^M[^A]*/, '')}`;
  const {x, y} = findPointAt(from);
  const end = findPointAt(to);
  return `M${x} ${y}A${radius} ${radius} 0 0 1 ${end.x} ${end.y}`;
}

function findPointAt(degrees: number): {readonly x: string; readonly y: string} {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return {
    x: (centre + radius * Math.cos(angle)).toFixed(2),
    y: (centre + radius * Math.sin(angle)).toFixed(2),
  };
}

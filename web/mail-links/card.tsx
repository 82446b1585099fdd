import type {ReactNode} from 'react';
import {Logo} from '../parts/logo.tsx';
import {texts} from '../texts/texts.ts';

/** The frame of a page to which a link in a mail leads. No session is needed. */
export function Card({title, children}: {readonly title: string; readonly children: ReactNode}) {
  return (
    <main className="mx-auto w-full max-w-card px-4 pt-[max(24px,12vh)] pb-8">
      <p className="mb-4 flex items-center gap-2 text-lg/5 font-bold">
        <Logo />
        {texts.frame.brand}
      </p>
      <section aria-live="polite" className="flex flex-col gap-4 rounded-xl border border-line bg-card p-6">
        <h1>{title}</h1>
        {children}
      </section>
    </main>
  );
}

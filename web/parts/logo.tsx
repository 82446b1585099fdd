export function Logo() {
  return (
    <span
      aria-hidden="true"
      className="size-4.5 flex-none rounded-full border-4 border-accent border-e-late"
    />
  );
}

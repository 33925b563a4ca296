const time = /^(?:(?<hours>\d{1,2}):)?(?<minutes>\d{1,3}):(?<seconds>[0-5]\d)$/;

/** Seconds of `mm:ss` or `h:mm:ss`; null for anything else. */
export function secondsOf(text: string): number | null {
  const { hours = "0", minutes, seconds } = time.exec(text.trim())?.groups ?? {};
  return minutes === undefined ? null : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

/** `mm:ss`, from an hour on `h:mm:ss`. */
export function clockOf(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3_600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}

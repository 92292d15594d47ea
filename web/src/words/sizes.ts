// Amounts in words. Pure.

const UNITS = ["bytes", "KB", "MB", "GB"] as const;

/** `1 byte`, `812 bytes`, `4.2 KB`, `5 MB`. */
export function bytes(count: number): string {
  let amount = count;
  let unit = 0;
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  if (unit === 0) return count === 1 ? "1 byte" : `${count} bytes`;
  return `${amount >= 10 ? Math.round(amount) : Math.round(amount * 10) / 10} ${UNITS[unit]}`;
}

/** `1 poll`, `37 polls`, `1,204 polls`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString("en-US")} ${amount === 1 ? one : many}`;
}

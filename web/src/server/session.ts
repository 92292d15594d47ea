// Who looks: how this server wants to be asked, and what the caller may do.
import { computed, signal } from "@preact/signals";
import { Refused, ask, keepToken, token } from "./client.ts";

export type Authorization = "AWS_IAM" | "KEYS" | "NONE";
export type Role = "reader" | "operator" | "admin";

interface ServerFacts {
  authorization: Authorization;
  version: string;
}

interface User {
  id: string;
  name: string;
  role: Role;
}

/** `asking`: nothing is known yet. `out`: a key is needed. `closed`: requests must be signed, which a page cannot. */
export type Standing = "asking" | "in" | "out" | "closed" | "unreachable";

export const server = signal<ServerFacts | null>(null);
export const user = signal<User | null>(null);
export const standing = signal<Standing>("asking");
export const role = computed<Role>(() => user.value?.role ?? "reader");

const RANK: Readonly<Record<Role, number>> = { reader: 0, operator: 1, admin: 2 };

/** May the caller do what takes `needed`? The server has the last word; this only spares a useless button. */
export function may(needed: Role): boolean {
  return RANK[role.value] >= RANK[needed];
}

/** Find out how to ask and who asks. Safe to repeat. */
export async function begin(): Promise<void> {
  try {
    server.value = await ask<ServerFacts>("/ui/server.json");
    await recognise();
  } catch {
    standing.value = "unreachable";
  }
}

/** Fetch a token for a key. Throws `Refused` when the server does not know it. */
export async function signIn(keyId: string, keySecret: string): Promise<void> {
  const { token: given } = await ask<{ token: string }>("/api/token", { method: "POST", body: { keyId, keySecret } });
  keepToken(given);
  await recognise();
}

export function signOut(): void {
  keepToken(null);
  user.value = null;
  standing.value = server.value?.authorization === "KEYS" ? "out" : "in";
}

/** Call it with every failure of a request: a token that ran out leads to the sign-in page, and back to where one was. */
export function noteRefusal(error: unknown): void {
  if (server.value?.authorization !== "KEYS" || !(error instanceof Refused)) return;
  const bad = error.status === 401 || (error.status === 403 && /token|forbidden$/i.test(error.message));
  if (bad) signOut();
}

async function recognise(): Promise<void> {
  if (server.value?.authorization === "KEYS" && !token.value) {
    standing.value = "out";
    return;
  }
  try {
    user.value = await ask<User>("/api/token/userInfo");
    standing.value = "in";
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 0) throw error;
    standing.value = server.value?.authorization === "AWS_IAM" ? "closed" : "out";
    if (standing.value === "out") keepToken(null);
  }
}

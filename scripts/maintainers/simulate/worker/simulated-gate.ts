import type { Broken } from "../story.ts";
import type { WorldApp } from "./make-app.ts";
import type { Person } from "./people/person.ts";
import type { World } from "./world.ts";

/** How a feature lets people through the gate, as the simulation plays and checks it. */
export type SimulatedGate = {
  meet(person: Person): GateVisitor;
  /** Rows that violate what the gate before this plan promises. */
  brokenBefore(planId: string, now: number): Record<string, string>;
  /** What is promised about the people who ask. */
  findViolation(world: World): Promise<Broken | null>;
  /** Rows that stay after an account with another spelling of their address was erased: the table, and the column with the address. */
  ofAnotherSpelling: { table: string; column: string };
};

/** What someone does at the gate, by the links that reached them. */
export type GateVisitor = {
  /** `friend`: the address of the friend who brought them. */
  asks(app: WorldApp, address: string, friend: string | null): Promise<void>;
  confirms(app: WorldApp): Promise<void>;
  leaves(app: WorldApp): Promise<void>;
  stillWantsToJoin(app: WorldApp): Promise<void>;
  accepts(app: WorldApp): Promise<void>;
  /** An operator decides. */
  isDecided(app: WorldApp, verdict: "clear" | "reject"): Promise<void>;
};

import type { Mutant } from "../../../../scripts/maintainers/mutants/mutant.ts";

export const waitlistMutants: Mutant[] = [
  {
    name: "simulation: a second waitlist entry of a mailbox counts for its friend",
    file: "app/features/waitlist/confirming.queries.server.ts",
    find: "(${isSameMailbox} or ${isOfCluster})",
    replace: "((${isSameMailbox} and 0) or ${isOfCluster})",
    suite: "simulate",
    by: "a mailbox gives positions on the waitlist once",
  },
  {
    name: "simulation: an export contains everyone's entries on the waitlist",
    file: "app/features/waitlist/personal-data.queries.server.ts",
    find: "    .where(eq(accounts.id, accountId))\n    .orderBy(createdAt)",
    replace: "    .where(sql`${accountId} <> ''`)\n    .orderBy(createdAt)",
    suite: "simulate",
    by: "an export contains its owner's data alone",
  },
  {
    name: "simulation: everyone on the waitlist is invited",
    file: "app/workflows/find-buyer.server.ts",
    find: "own.some((pass) => pass.isInvited)",
    replace: "own.length > 0",
    suite: "simulate",
    by: "a plan behind the waitlist needs an invitation",
  },
];

CREATE INDEX `accounts_of_domain` ON `accounts` (substr(`email_canonical`, instr(`email_canonical`, '@') + 1));

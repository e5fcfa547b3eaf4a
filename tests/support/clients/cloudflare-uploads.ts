type Binding = { type: string; name: string; text?: string };
type Version = { id: string; number: number; metadata: typeof made; bindings: Binding[] };
const made = { author_email: "ada@example.com", source: "wrangler", created_on: "2026-11-27T00:00:00.000Z" };
type Deployment = { id: string; versions: { version_id: string; percentage: number }[] };
type Uploaded = { versions: Version[]; deployments: Deployment[]; schedules: unknown; domains: unknown };

/** What wrangler uploads to an account: versions of Workers with their variables, which share of requests each gets, cron and domains. */
export class CloudflareUploads {
  /** Of every KV namespace that is made. */
  static readonly namespaceId = "0f2ac74b498b48028cb68387c421e279";
  /** A version is uploaded, and gets no requests. */
  refusesShares = false;
  readonly workers = new Map<string, Uploaded>();

  /** Null: not a path of uploads. */
  answer(method: string, path: string, body: string): unknown {
    const [, name = "", part = ""] = /^\/workers\/(?:scripts|services|workers)\/([^/]+)\/?(.*)$/.exec(path) ?? [];
    if (name === "") return path === "/storage/kv/namespaces" ? this.#namespace(method, body) : null;
    const worker = this.workers.get(name);
    if (method === "GET" && part === "" && path.includes("/services/")) {
      return worker
        ? { default_environment: { environment: "production", script: { last_deployed_from: "wrangler" } } }
        : null;
    }
    if (part === "" && path.startsWith("/workers/workers/")) {
      return { id: name, name, subdomain: { enabled: false, previews_enabled: false } };
    }
    if (part === "assets-upload-session") return { jwt: "a-token-for-assets", buckets: [] };
    if (method === "PUT" && part === "") return this.#deploy(name, body);
    if (method === "POST" && part === "versions") return this.#upload(name, body);
    if (!worker) return null;
    switch (`${method} ${part}`) {
      case "GET deployments":
        return { deployments: worker.deployments.toReversed() };
      case "POST deployments":
        return this.refusesShares ? null : this.#share(worker, JSON.parse(body) as Deployment);
      case "PUT schedules":
        worker.schedules = JSON.parse(body);
        return { schedules: [] };
      case "PUT domains/records":
        worker.domains = JSON.parse(body);
        return [];
      case "GET versions":
        return { items: worker.versions };
      case "GET settings":
        return { bindings: worker.versions.at(-1)?.bindings };
      case "GET subdomain":
      case "POST subdomain":
        return { enabled: true, previews_enabled: false };
    }
    const [, versionId] = /^versions\/(.+)$/.exec(part) ?? [];
    const version = worker.versions.find(({ id }) => id === versionId);
    return version ? { ...version, resources: { bindings: version.bindings, script: {}, script_runtime: {} } } : null;
  }

  /** As after a rollback: Cloudflare sets no secrets then. */
  hasUndeployedVersion(name: string): boolean {
    const { versions, deployments } = this.workers.get(name) ?? { versions: [], deployments: [] };
    const running = deployments.at(-1)?.versions ?? [];
    return (
      versions.length > 0 &&
      !running.some(({ version_id: id, percentage }) => id === versions.at(-1)?.id && percentage === 100)
    );
  }

  #deploy(name: string, body: string) {
    const version = this.#upload(name, body);
    const worker = this.workers.get(name);
    if (worker) this.#share(worker, { id: "", versions: [{ version_id: version.id, percentage: 100 }] });
    return { ...version, deployment_id: version.id, startup_time_ms: 1 };
  }

  #upload(name: string, body: string) {
    const [, metadata = "{}"] =
      /name="metadata"(?:; filename="[^"]*")?(?:\r\nContent-Type: [^\r]*)?\r\n\r\n(.*?)\r\n--/s.exec(body) ?? [];
    const { bindings = [] } = JSON.parse(metadata) as { bindings?: Binding[] };
    const worker = this.workers.get(name) ?? { versions: [], deployments: [], schedules: null, domains: null };
    const number = worker.versions.length + 1;
    const version = {
      id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
      number,
      metadata: made,
      bindings,
    };
    worker.versions.push(version);
    this.workers.set(name, worker);
    return { ...version, startup_time_ms: 1, resources: { bindings, script: {}, script_runtime: {} } };
  }

  #share(worker: Uploaded, { versions }: Deployment) {
    const deployment = { id: `deployment-${worker.deployments.length + 1}`, versions, ...made };
    worker.deployments.push(deployment);
    return deployment;
  }

  #namespace(method: string, body: string): unknown {
    return method === "POST" ? { id: CloudflareUploads.namespaceId, ...(JSON.parse(body) as object) } : [];
  }
}

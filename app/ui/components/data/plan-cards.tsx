import type { ReactNode } from "react";

type Plan = {
  id: string;
  name: string;
  tagline: string;
  price: ReactNode;
  per: string;
  saving?: string;
  points: readonly string[];
  chip?: ReactNode;
  action: ReactNode;
  current?: boolean;
  /** The one that most visitors should look at first. */
  featured?: boolean;
};

/** One sheet like a printed price list: columns on wide screens, stacked on narrow ones. */
export function PlanCards({ plans, level = 3 }: { plans: readonly Plan[]; level?: 2 | 3 }) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <div className="plans-frame">
      <ul className="plans" data-plans={plans.length}>
        {plans.map((plan) => (
          <li className={classNames(plan)} key={plan.id}>
            <div className="plan-head">
              <div className="plan-name">
                <Heading>{plan.name}</Heading>
                {plan.chip}
              </div>
              <p className="plan-tagline">{plan.tagline}</p>
            </div>
            <p className="plan-price">
              <span className="plan-amount">{plan.price}</span> <span className="plan-per">{plan.per}</span>
              {plan.saving && <span className="plan-saving">{plan.saving}</span>}
            </p>
            <ul className="plan-points">
              {plan.points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
            <div className="plan-action">{plan.action}</div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function classNames({ current, featured }: Plan): string {
  return ["plan", current && "plan-current", featured && "plan-featured"].filter(Boolean).join(" ");
}

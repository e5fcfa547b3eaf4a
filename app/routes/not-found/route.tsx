import { data } from "react-router";

/** Matches every other path, with any method. The root's boundary shows the 404 page. */
export function loader() {
  throw data(null, { status: 404 });
}

export function action() {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}

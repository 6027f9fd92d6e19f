import "../look/look.css";
import "../form/form.css";
import "../report/print.css";
import { mount } from "svelte";
import { forStaff } from "../catalogue/for_staff";
import { words } from "../words/words.svelte";
import { offerKeypads } from "../keypad/keypad";
import FloorPage from "./FloorPage.svelte";

await words.open(forStaff, "window_floor");
mount(FloorPage, { target: document.body });
offerKeypads();

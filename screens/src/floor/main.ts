import "../look/look.css";
import "../form/form.css";
import "../report/print.css";
import { mount } from "svelte";
import FloorPage from "./FloorPage.svelte";

mount(FloorPage, { target: document.body });
